/** What people are called for short. */

/** Family names that come first where a Chinese name is written in letters, and what goes before a name as they do. */
const FAMILY =
  /^(Bai|Cai|Cao|Chen|Cheng|Deng|Ding|Dong|Du|Fan|Fang|Feng|Fu|Gao|Guo|Han|He|Hu|Huang|Jiang|Jin|Lao|Li|Liang|Lin|Liu|Lu|Luo|Ma|Mo|Old|Pan|Peng|Qian|Qiu|Shen|Shi|Song|Su|Sun|Tang|Tian|Tie|Wang|Wei|Wu|Xiao|Xie|Xu|Yan|Yang|Yao|Ye|Yu|Yuan|Zeng|Zhang|Zhao|Zheng|Zhong|Zhou|Zhu)$/;

/** @param {string} name */
function first(name) {
  const [word] = name.split(" ");
  return FAMILY.test(word) ? name : word;
}

/** First names where no two are the same; names that begin with the family's are short as they are. @param {string[]} names @returns {string[]} */
export function shortNames(names) {
  const counts = new Map();
  for (const name of names) counts.set(first(name), (counts.get(first(name)) ?? 0) + 1);
  return names.map((name) => (counts.get(first(name)) === 1 ? first(name) : name));
}
