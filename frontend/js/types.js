/**
 * The shapes that the API answers with; `docs/formats.md` describes them.
 *
 * Time is counted in ticks of ten game seconds from the start of the run. A tile that is entered in
 * tick `k` is walked to from `k` to `k + 1`.
 *
 * @typedef {{id: string, name: string, occupation: string, portrait: string | null, sprite: string | null}} Resident
 * @typedef {{name: string, idle: string, tiles: [number, number][], facing: Record<string, "up" | "down" | "left" | "right">, from?: number, until?: number}} Thing
 *
 * @typedef {object} Run
 * @property {string} name
 * @property {string} world
 * @property {string} world_name
 * @property {"en" | "zh"} lang
 * @property {string} start      ISO, without zone
 * @property {number} stride     game minutes of a step
 * @property {number} ticks      ticks of a step
 * @property {number} chunk      steps to ask for at once
 * @property {number} steps      steps lived
 * @property {number} planned    steps meant to be lived
 * @property {boolean} finished
 * @property {string} model
 * @property {boolean} scripted
 * @property {string | null} map address of the Tiled map
 * @property {Resident[]} residents
 * @property {Record<string, string>} places     arena → its name
 * @property {Record<string, [number, number]>} centres   arena → the tile in its middle
 * @property {Record<string, Thing>} things      thing → its name, state and tiles
 *
 * @typedef {object} Action
 * @property {number} tick
 * @property {"sleep" | "act" | "wait"} kind
 * @property {string} activity
 * @property {string} address
 * @property {string} emoji
 * @property {number | null} arrived    tick of arrival, null while still on the way
 *
 * @typedef {{tick: number, state: string, users: string[]}} ThingChange
 * @typedef {{address: string, text: string, tick: number, ticks: number}} Happening    at an arena or a thing
 * @typedef {{speaker: string, text: string}} Line
 *
 * @typedef {object} Talk
 * @property {string} id
 * @property {string} opener
 * @property {string} partner
 * @property {string} address
 * @property {number} tick
 * @property {number} ticks
 * @property {Line[]} lines
 * @property {string} summary
 *
 * @typedef {{at: [number, number], moves: number[], actions: Action[]}} Track
 *    `moves` are triples (tick, column, row), flat
 *
 * @typedef {object} Frames
 * @property {number} from
 * @property {number} to
 * @property {Record<string, Track>} residents
 * @property {Record<string, ThingChange[]>} things
 * @property {Happening[]} events   what the user lets happen
 * @property {Talk[]} talks     all that are held at some time in these steps
 *
 * @typedef {{tick: number, kind: "action" | "talk" | "reflection" | "plan", text: string}} Mark
 * @typedef {{id: string, tick: number, ticks: number, opener: string, partner: string}} Held
 *
 * @typedef {object} RunMarks
 * @property {number} width     steps to a bin
 * @property {number[]} events  by bin, like the next three
 * @property {number[]} talks
 * @property {number[]} reflections
 * @property {number[]} plans
 * @property {Held[]} conversations   in order of time
 */

export {};
