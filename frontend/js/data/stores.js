/**
 * What lies in the things of a place at a moment, what it costs and what goes on there, and a resident's body and goods.
 *
 * @typedef {import("./shapes.js").Fixture} Fixture
 * @typedef {Omit<Fixture, "goods" | "prices" | "going_on" | "notices"> & {address: string, goods: import("./shapes.js").Holding[],
 *            prices: import("./shapes.js").Price[], going_on: import("./shapes.js").Work | null, notices: import("./shapes.js").Pinned[]}} FixtureNow
 * @typedef {{needs: import("./shapes.js").Need[], bodily: import("./shapes.js").Bodily | null, bag: import("./shapes.js").Holding[], coins: number,
 *            house: string, skills: [string, number][], work: import("./shapes.js").Work | null}} LivingNow
 */

/** The fixtures of an arena (`address`) after a step. @type {import("./views.js").View} */
export async function fixtures(blocks, query) {
  const [address, wanted] = [query.get("address") ?? "", Number(query.get("step") ?? blocks.steps)];
  const step = Math.max(0, Math.min(wanted, blocks.steps));
  /** @type {import("./shapes.js").Stores} */
  const block = await blocks.at("stores", "stores", step);
  const here = Object.entries(block.fixtures).filter(([at]) => at.startsWith(`${address}/`));
  return here.map(([at, fixture]) => {
    const { goods, prices, going_on: process, notices } = fixture;
    const matter = { goods: inForce(goods, step) ?? [], prices: inForce(prices, step) ?? [] };
    return { ...fixture, ...matter, address: at, going_on: inForce(process, step) ?? null, notices: inForce(notices, step) ?? [] };
  });
}

/** @param {import("./shapes.js").Living} living @param {number} step @returns {LivingNow} */
export function livingAt({ needs, bodily, bag, coins, house, skills, work }, step) {
  return {
    needs,
    house,
    bodily: inForce(bodily, step) ?? null,
    bag: inForce(bag, step) ?? [],
    coins: inForce(coins, step) ?? 0,
    skills: inForce(skills, step) ?? [],
    work: inForce(work, step) ?? null,
  };
}

/** @template T @param {[number, T][]} versions @param {number} step @returns {T | undefined} */
function inForce(versions, step) {
  return versions.findLast(([since]) => since <= step)?.[1];
}
