# Computes the estimates, differences and tests of this experiment anew from the tables beside this
# file, and compares them with results.csv. It needs R alone, and nothing of Hometown:
#     Rscript recompute.R
# It writes recomputed-R.csv, and ends with status 1 where a figure differs.
options(warn = 1, digits = 15)
level <- 0.95
decimals <- 6      # of values and differences in tables
most_exact <- 16   # pairs of which all swaps are counted; results.csv has draws of more
tolerance <- 2e-5  # relative: results have six significant digits

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
here <- if (length(script)) dirname(normalizePath(script[1])) else "."
read_table <- function(name) {
  read.csv(file.path(here, name), colClasses = "character", na.strings = character(),
           encoding = "UTF-8", check.names = FALSE)
}

# Probability that the mean of values is at most `at`, under random weights that are uniform on all
# with the sum 1: the weights are exponential variables over their sum (Gil-Pelaez 1951).
below <- function(values, at) {
  apart <- values - at
  if (all(apart <= 0)) return(1)
  if (all(apart > 0)) return(0)
  apart <- apart / max(abs(apart))
  imaginary <- function(angles) {
    vapply(angles, function(angle) {
      Im(1 / prod(1 - 1i * apart * tan(angle))) / (sin(angle) * cos(angle))
    }, 0)
  }
  whole <- integrate(imaginary, 0, pi / 2, rel.tol = 1e-10, abs.tol = 1e-10,
                     subdivisions = 2000L, stop.on.error = FALSE)
  0.5 - whole$value / pi
}

quantile_of_mean <- function(values, at_level) {
  low <- min(values)
  high <- max(values)
  if (low == high) return(low)
  edge <- (high - low) * 1e-12
  uniroot(function(at) below(values, at) - at_level, c(low + edge, high - edge), tol = 1e-12)$root
}

estimate <- function(values, kind) {
  count <- length(values)
  low <- NA
  high <- NA
  if (kind == "share") {
    if (count > 1) {
      tail <- (1 - level) / 2
      low <- quantile_of_mean(c(0, values), tail)
      high <- quantile_of_mean(c(values, 1), 1 - tail)
    }
    return(list("mean", count, mean(values), low, high))
  }
  rank <- qbinom((1 - level) / 2, count, 0.5)
  if (rank > 0) {
    ordered <- sort(values)
    low <- ordered[rank]
    high <- ordered[count - rank + 1]
  }
  list("median", count, median(values), low, high)
}

p_by_swaps <- function(differences, side = "both") {
  parts <- round(differences * 10^decimals)
  observed <- sum(parts)
  if (length(parts) > most_exact) {
    set.seed(1)
    drawn <- replicate(2^most_exact - 1, sum(sample(c(-1, 1), length(parts), TRUE) * parts))
    sums <- c(drawn, observed)
  } else {
    signs <- as.matrix(expand.grid(rep(list(c(1, -1)), length(parts))))
    sums <- as.vector(signs %*% parts)
  }
  greater <- mean(sums >= observed)
  less <- mean(sums <= observed)
  switch(side, greater = greater, less = less, both = min(1, 2 * min(greater, less)))
}

p_of_sameness <- function(differences, margin) {
  max(p_by_swaps(differences + margin, "greater"), p_by_swaps(differences - margin, "less"))
}

measures <- read_table("tables/measures.csv")
measures$value <- as.numeric(measures$value)
comparisons <- read_table("tables/comparisons.csv")
is_scripted <- all(read_table("tables/runs.csv")$model == "scripted")
published <- read_table("results.csv")

rows <- list()
add <- function(kind, measure, about, condition, against, found, mean = NA, p = NA) {
  rows[[length(rows) + 1]] <<- data.frame(
    kind = kind, measure = measure, about = about, condition = condition, against = against,
    statistic = found[[1]], n = found[[2]], value = found[[3]], low = found[[4]],
    high = found[[5]], mean = mean, p = p, adjusted = NA)
}

groups <- unique(measures[c("measure", "about", "condition", "kind")])
for (at in seq_len(nrow(groups))) {
  each <- groups[at, ]
  values <- measures$value[measures$measure == each$measure & measures$about == each$about &
                             measures$condition == each$condition]
  add("estimate", each$measure, each$about, each$condition, "", estimate(values, each$kind))
}
pairs <- unique(comparisons[c("comparison", "against")])
figures <- unique(measures[c("measure", "about")])
for (at in seq_len(nrow(figures))) {
  found <- measures[measures$measure == figures$measure[at] & measures$about == figures$about[at], ]
  for (place in seq_len(nrow(pairs))) {
    weights <- comparisons[comparisons$comparison == pairs$comparison[place] &
                             comparisons$against == pairs$against[place], ]
    by_seed <- lapply(split(found, found$seed), function(own) {
      if (!all(weights$condition %in% own$condition)) return(NULL)
      sum(own$value[match(weights$condition, own$condition)] * as.numeric(weights$weight))
    })
    differences <- round(unlist(by_seed), decimals)
    if (!length(differences)) next
    is_claim <- weights$measure[1] == figures$measure[at] && weights$about[1] == figures$about[at] &&
      weights$confirmatory[1] == "1"
    p <- NA
    if (is_claim && !is_scripted) {
      margin <- weights$same_within[1]
      p <- if (margin == "") p_by_swaps(differences) else p_of_sameness(differences, as.numeric(margin))
    }
    add("contrast", figures$measure[at], figures$about[at], pairs$comparison[place],
        pairs$against[place], estimate(unname(differences), "score"), mean(differences), p)
  }
}
ours <- do.call(rbind, rows)
tested <- !is.na(ours$p)
ours$adjusted[tested] <- p.adjust(ours$p[tested], "holm")
write.csv(ours, file.path(here, "recomputed-R.csv"), row.names = FALSE, na = "")

key <- function(table) {
  paste(table$kind, table$measure, table$about, table$condition, table$against, sep = "\r")
}
wrong <- sum(!key(ours) %in% key(published)) + sum(!key(published) %in% key(ours))
theirs <- published[match(key(ours), key(published)), ]
for (column in c("n", "value", "low", "high", "mean", "p", "adjusted")) {
  mine <- as.numeric(ours[[column]])
  other <- suppressWarnings(as.numeric(theirs[[column]]))
  drawn <- ifelse(column %in% c("p", "adjusted") & ours$n > most_exact, 0.02, 0)
  agrees <- ifelse(is.na(mine) | is.na(other), is.na(mine) & is.na(other),
                   abs(mine - other) <= tolerance * pmax(1e-3, abs(other)) + drawn)
  for (at in which(!agrees)) {
    cat("differs:", ours$measure[at], ours$about[at], ours$condition[at], column, mine[at],
        "published", other[at], "\n")
  }
  wrong <- wrong + sum(!agrees)
}
wrong <- wrong + sum(ours$statistic != theirs$statistic, na.rm = TRUE)
cat(nrow(ours), "rows recomputed,", wrong, "figures differ\n")
quit(status = if (wrong) 1 else 0)
