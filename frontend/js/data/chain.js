/** How an action came about: from what somebody usually does to the plan of the day, the hour, the task and the place. */

const [MINUTE, DAY] = [60_000, 86_400_000]; // milliseconds

/**
 * `made` is the step in which the day was planned, null where it was not; `entry` and `task` are those in force when the action was begun.
 * @typedef {{habit: string, habits: string[], made: number | null, entry: import("./shapes.js").ScheduleEntry | null, task: import("./shapes.js").ScheduleTask | null}} Chain
 */

/** @param {import("./blocks.js").Blocks} blocks @param {string} who @param {number} step in which the action was begun @param {string} activity @returns {Promise<Chain>} */
export async function chainOf(blocks, who, step, activity) {
  const { start, stride } = await blocks.run();
  /** @type {import("./shapes.js").ResidentBlock} */
  const block = await blocks.at("resident", `residents/${who}`, Math.max(1, step));
  const moment = Date.parse(`${start}Z`) + Math.max(0, step - 1) * stride * MINUTE;
  const minute = (moment % DAY) / MINUTE;
  const day = block.schedule.findLast(([since]) => since <= step)?.[1] ?? null;
  const today = day?.date === new Date(moment).toISOString().slice(0, 10) ? day : null;
  const entry = today?.entries.find((other) => other.start <= minute && minute < other.end) ?? null;
  const begun = entry?.tasks.filter((task) => task.start <= minute + stride) ?? [];
  const task = begun.findLast((other) => other.activity === activity) ?? null;
  return { habit: block.persona?.daily_plan ?? "", habits: block.habits, made: today?.made ?? null, entry, task };
}
