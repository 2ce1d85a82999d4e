"""Work and bodily needs: errands, upkeep, going to bed, and help for those who are helpless."""
