"""The people of a district: the lives of a town's own residents, lived by others under other names."""
