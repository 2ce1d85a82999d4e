"""Inner life: reflection, the consolidation of memories during sleep, and bonds to others."""
