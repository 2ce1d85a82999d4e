"""The page's server: routes, access rules, and live updates of runs in progress."""
