# Computes the estimates, differences, rankings and tests of this experiment anew from the tables
# beside this file, and compares them with results.csv. It needs R alone, and nothing of Hometown:
#     Rscript recompute.R
# It writes recomputed-R.csv, and ends with status 1 where a figure differs.
options(warn = 1, digits = 15)
level <- 0.95
decimals <- 6      # of values in tables, and of differences that are swapped
most_exact <- 16   # pairs of which all swaps are counted; results.csv has draws of more
tolerance <- 2e-5  # relative: results have six significant digits
access_order <- c("full", "no-reflection", "no-plan", "human", "none")  # of results
least_residents <- 5  # of a ranking
prior_wins <- 0.1  # of each kind of access over each other one, for worths

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
here <- if (length(script)) dirname(normalizePath(script[1])) else "."
read_table <- function(name) {
  table <- read.csv(file.path(here, name), colClasses = "character", na.strings = character(),
                    encoding = "UTF-8", check.names = FALSE)
  names(table)[1] <- sub("^\ufeff", "", names(table)[1])  # the byte order mark
  table
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
measures <- measures[measures$value != "", ]
measures$value <- as.numeric(measures$value)
comparisons <- read_table("tables/comparisons.csv")
is_scripted <- any(read_table("tables/runs.csv")$model == "scripted")
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
    differences <- unlist(by_seed)
    if (is.null(differences)) next
    differences <- round(differences, 9)  # means over conditions have more than their values
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
tested <- which(!vapply(rows, function(row) is.na(row$p), TRUE))
claimed <- unique(comparisons[comparisons$confirmatory == "1", c("comparison", "against")])
adjusted <- p.adjust(vapply(rows[tested], function(row) row$p, 0), "holm", nrow(claimed))
for (at in seq_along(tested)) rows[[tested[at]]]$adjusted <- adjusted[at]

# Statistic of Skillings and Mack (1981) and its p: that of all columns but the last, since the
# adjusted ranks of each row have the sum 0.
skillings_mack <- function(scores) {
  count <- ncol(scores)
  total <- numeric(count)
  covariance <- matrix(0, count, count)
  for (at in seq_len(nrow(scores))) {
    has <- which(!is.na(scores[at, ]))
    size <- length(has)
    if (size < 2) next
    apart <- (rank(scores[at, has]) - (size + 1) / 2) * sqrt(12 / (size + 1))
    total[has] <- total[has] + apart
    covariance[has, has] <- covariance[has, has] + var(apart) * (diag(size) - 1 / size)
  }
  total <- total[-count]
  parts <- eigen(covariance[-count, -count, drop = FALSE], symmetric = TRUE)
  known <- parts$values > 1e-9 * max(parts$values, 1)
  if (!any(known)) return(c(0, 1))
  found <- sum(crossprod(parts$vectors, total)[known]^2 / parts$values[known])
  c(found, pchisq(found, sum(known), lower.tail = FALSE))
}

# Worths of Bradley and Terry, by the algorithm of Hunter (2004).
find_worths <- function(won) {
  won <- won + prior_wins * (1 - diag(nrow(won)))
  worths <- rep(1 / nrow(won), nrow(won))
  for (round in seq_len(100000)) {
    before <- worths
    worths <- rowSums(won) / rowSums((won + t(won)) / outer(worths, worths, "+"))
    worths <- worths / sum(worths)
    if (max(abs(worths / before - 1)) < 1e-12) break
  }
  worths
}

rank_access <- function(measure, condition, access, ranks, who) {
  cell <- function(about, against, statistic, n, value, low = NA, high = NA, p = NA, adjusted = NA) {
    rows[[length(rows) + 1]] <<- data.frame(
      kind = "ranking", measure = measure, about = about, condition = condition,
      against = against, statistic = statistic, n = n, value = value, low = low, high = high,
      mean = NA, p = p, adjusted = adjusted)
  }
  size <- rowSums(!is.na(ranks))
  above <- (size - ranks) / (size - 1)
  scores <- round(apply(above, 2, function(own) {
    means <- tapply(own, who, mean, na.rm = TRUE)
    means[is.nan(means)] <- NA
    means
  }), 9)
  won <- matrix(0, length(access), length(access))
  shares <- list()
  for (one in seq_along(access)) for (other in seq_along(access)) if (one != other) {
    wins <- (sign(ranks[, other] - ranks[, one]) + 1) / 2
    won[one, other] <- sum(wins, na.rm = TRUE)
    known <- !is.na(wins)
    if (one < other && any(known)) {
      shares[[paste(one, other)]] <- round(as.vector(tapply(wins[known], who[known], mean)), 9)
    }
  }
  means <- 1 + (length(access) - 1) * (1 - colMeans(scores, na.rm = TRUE))
  worths <- find_worths(won)
  for (at in seq_along(access)) {
    cell(access[at], "", "mean rank", nrow(scores), means[at])
    cell(access[at], "", "worth", nrow(ranks), worths[at])
    cell(access[at], "", "missing", nrow(ranks), sum(is.na(ranks[, at])))
  }
  tested <- skillings_mack(scores)
  cell("", "", "Skillings-Mack", nrow(scores), tested[1], p = tested[2])
  adjusted <- p.adjust(vapply(shares, function(own) p_by_swaps(own - 0.5), 0), "holm")
  for (at in seq_along(shares)) {
    pair <- access[as.integer(strsplit(names(shares)[at], " ")[[1]])]
    found <- estimate(shares[[at]], "share")
    cell(pair[1], pair[2], "win probability", found[[2]], found[[3]], found[[4]], found[[5]],
         adjusted = adjusted[at])
  }
  whole <- ranks[, 2 * colSums(!is.na(ranks)) > nrow(ranks), drop = FALSE]
  whole <- whole[complete.cases(whole), , drop = FALSE]
  if (ncol(whole) < 2 || !nrow(whole)) return(invisible())
  pooled <- matrix(rank(t(apply(whole, 1, rank))), nrow(whole))
  spread <- var(as.vector(pooled))
  middle <- colMeans(pooled)
  h <- if (spread > 0) nrow(whole) * sum((middle - mean(middle))^2) / spread else 0
  cell("", "", "Kruskal-Wallis", nrow(whole), h,
       p = if (spread > 0) pchisq(h, ncol(whole) - 1, lower.tail = FALSE) else 1)
  pairs <- combn(ncol(whole), 2)
  apart <- abs(middle[pairs[1, ]] - middle[pairs[2, ]]) / sqrt(2 * spread / nrow(whole))
  ps <- p.adjust(if (spread > 0) 2 * pnorm(-apart) else rep(1, ncol(pairs)), "holm")
  for (at in seq_along(ps)) {
    named <- colnames(whole)[pairs[, at]]
    cell(named[1], named[2], "Dunn", nrow(whole), NA, adjusted = ps[at])
  }
}

rankings <- read_table("tables/rankings.csv")
groups <- unique(rankings[c("condition", "judge")])
for (at in seq_len(nrow(groups))) {
  own <- rankings[rankings$condition == groups$condition[at] & rankings$judge == groups$judge[at], ]
  block <- paste(own$seed, own$who, own$question, sep = "\r")
  named <- unique(block)
  ranks <- matrix(NA_real_, length(named), length(access_order), dimnames = list(NULL, access_order))
  ranks[cbind(match(block, named), match(own$access, access_order))] <- as.numeric(own$rank)
  who <- own$who[match(named, block)]
  several <- rowSums(!is.na(ranks)) > 1
  ranks <- ranks[several, colSums(!is.na(ranks[several, , drop = FALSE])) > 0, drop = FALSE]
  who <- who[several]
  if (ncol(ranks) > 2 && length(unique(who)) >= least_residents) {
    rank_access(paste0("rankings.", groups$judge[at]), groups$condition[at], colnames(ranks), ranks, who)
  }
}
ours <- do.call(rbind, rows)
has_p <- published$p != "" | published$adjusted != ""
admitted <- unique(paste(published$measure, published$condition)[has_p])
refused <- ours$kind == "ranking" & !paste(ours$measure, ours$condition) %in% admitted
ours[refused, c("p", "adjusted")] <- NA  # by the judge's controls, or without a model
write.csv(ours, file.path(here, "recomputed-R.csv"), row.names = FALSE, na = "")

key <- function(table) {
  paste(table$kind, table$measure, table$about, table$condition, table$against, table$statistic,
        sep = "\r")
}
wrong <- sum(!key(ours) %in% key(published)) + sum(!key(published) %in% key(ours))
theirs <- published[match(key(ours), key(published)), ]
for (column in c("n", "value", "low", "high", "mean", "p", "adjusted")) {
  mine <- as.numeric(ours[[column]])
  other <- suppressWarnings(as.numeric(theirs[[column]]))
  is_drawn <- ours$n > most_exact & ours$statistic %in% c("mean", "median", "win probability")
  drawn <- ifelse(column %in% c("p", "adjusted") & is_drawn, 0.02, 0)
  agrees <- ifelse(is.na(mine) | is.na(other), is.na(mine) & is.na(other),
                   abs(mine - other) <= tolerance * pmax(1e-3, abs(other)) + drawn)
  for (at in which(!agrees)) {
    cat("differs:", ours$measure[at], ours$about[at], ours$condition[at], column, mine[at],
        "published", other[at], "\n")
  }
  wrong <- wrong + sum(!agrees)
}
cat(nrow(ours), "rows recomputed,", wrong, "figures differ\n")

# Closed questions and games, from the answers; payoffs from the amounts.
checked <- 0
differing <- 0
check_figure <- function(named, value, published) {
  if (!length(published)) return(invisible())  # the experiment records other measures alone
  checked <<- checked + 1
  both <- c(value, suppressWarnings(as.numeric(published[1])))
  if (sum(is.na(both)) == 1 || (!anyNA(both) && abs(diff(both)) > 1e-6)) {
    cat("differs:", named, both[1], "published", both[2], "\n")
    differing <<- differing + 1
  }
}
check_measure <- function(own, figure, about, value) {
  wave <- switch(own$moment[1], start = "_start", end = "", paste0("@", own$moment[1]))
  found <- measures$condition == own$condition[1] & measures$seed == own$seed[1] &
    measures$measure == paste0(figure, wave) & measures$about == about
  check_figure(c(own$condition[1], own$seed[1], paste0(figure, wave), about), value,
               measures$value[found])
}
split_by <- function(table, columns) {
  if (!nrow(table)) return(list())
  split(table, do.call(paste, c(table[columns], sep = "\r")))
}
asked_once <- c("condition", "seed", "questionnaire", "moment", "access")
answers <- read_table("tables/answers.csv")
has_closed <- any(grepl("^(closed|games)[.]", measures$measure))
closed <- if (has_closed) answers[answers$item != "" & answers$access == "full", ] else answers[0, ]
for (own in split_by(closed, asked_once)) {
  name <- own$questionnaire[1]
  is_answered <- own$refused == "0" & own$outcome != "fallback"
  check_measure(own, "closed.refused", name, mean(own$refused == "1"))
  check_measure(own, "closed.unusable", name, mean(own$outcome == "fallback"))
  for (column in c("score", "expected")) {
    figure <- paste0("closed.", column)
    known <- own[own[[column]] != "", ]
    scale <- known[known$item == "scale", ]
    if (nrow(scale)) {
      by_resident <- tapply(as.numeric(scale[[column]]), scale$who, mean)
      check_measure(own, figure, name, mean(by_resident))
    }
    for (slider in split_by(known[known$item == "slider", ], "question")) {
      about <- paste0(name, "/", slider$question[1])
      check_measure(own, figure, about, mean(as.numeric(slider[[column]])))
    }
  }
  for (divided in split_by(own[own$item == "allocation" & is_answered, ], "question")) {
    things <- unlist(strsplit(divided$options, " | ", fixed = TRUE))
    amounts <- as.numeric(unlist(strsplit(divided$answer, ", ", fixed = TRUE)))
    means <- tapply(amounts, things, mean)
    for (thing in names(means)) {
      about <- paste(name, divided$question[1], thing, sep = "/")
      check_measure(own, "closed.amount", about, means[[thing]])
    }
  }
}
figure_of <- c(giver = "given", sender = "sent", receiver = "returned", contributor = "contributed")
for (own in if (has_closed) split_by(read_table("tables/games.csv"), asked_once)) {
  amount <- as.numeric(own$amount)
  stake <- as.numeric(own$stake)
  endowment <- as.numeric(own$endowment[1])
  multiplier <- as.numeric(own$multiplier[1])
  for (at in seq_len(nrow(own))) {
    others <- which(own$role != own$role[at])
    other <- others[match(paste(own$partner[at], own$who[at]), paste(own$who, own$partner)[others])]
    payoff <- switch(own$role[at],
      giver = endowment - amount[at],
      sender = endowment - amount[at] + amount[other],
      receiver = multiplier * amount[other] - amount[at],
      contributor = endowment - amount[at] +
        multiplier * mean(amount[own$partner == own$partner[at]]))
    check_figure(c(own$questionnaire[at], own$who[at], own$role[at]), payoff, own$payoff[at])
  }
  for (role in unique(own$role)) {
    shares <- (amount / stake)[own$role == role & stake > 0]
    if (own$access[1] == "full" && !all(is.na(shares))) {
      about <- own$questionnaire[1]
      check_measure(own, paste0("games.", figure_of[[role]]), about, mean(shares, na.rm = TRUE))
    }
  }
}
if (checked) cat(checked, "figures of closed questions and games recomputed,", differing, "differ\n")
wrong <- wrong + differing
quit(status = if (wrong) 1 else 0)
