// Written from modules/hometown/history/shapes by `make docs`; a test fails when the two differ.

export interface Absent {
  who: string;
  doing: string;
}

export interface Acquaintance {
  id: string;
  relation: string;
  closeness: number;
  before: number;
  conversations: number;
  summary: string;
  last: LastConversation[];
  moved: ClosenessChange[];
}

export interface ActionView {
  tick: number;
  kind: "sleep" | "act" | "wait" | "away";
  activity: string;
  address: string;
  emoji: string;
  arrived: number | null;
}

export type AlertKind = "silence" | "fallbacks" | "slow" | "need";

export interface AlertView {
  kind: "silence" | "fallbacks" | "slow" | "need";
  tick: number;
  end: number;
  amount: number;
  who: string;
  need: Record<string, string>;
}

export interface Appointment {
  what: string;
  people: string[];
  address: string;
  tick: number;
  minutes: number;
  conversation: string;
}

export interface Arenas {
  columns: number;
  names: string[];
  cells: number[];
}

export interface Article {
  kind: "event" | "gathering" | "news" | "encounter" | "thought";
  headline: string;
  deck: string;
  text: string;
  lang: "en" | "zh";
  quotes: Quote[];
  tick: number;
  who: string[];
  address: string;
  conversation: string;
}

export interface AttemptView {
  text: string;
  error: string;
  failed: boolean;
  cached_tokens: number;
  read_ms: number;
  write_ms: number;
  mended: string[];
  served: ServedView | null;
  trials: number;
}

export interface Begun {
  id: string;
  people: string[];
  tick: number;
}

export interface Beliefs {
  from: number;
  to: number;
  radius: number;
  places: [number, string[]][];
  things: [number, string, Record<string, string>][];
}

export interface Beside {
  tick: number | null;
  cause: string;
  first: Parting | null;
  parted: number[];
}

export interface Bodily {
  levels: number[];
  asleep: boolean;
}

export interface CallView {
  kind: string;
  ordinal: number;
  model: string;
  outcome: "ok" | "retried" | "fallback";
  reply: any;
  attempts: AttemptView[];
  prompt_tokens: number;
  reply_tokens: number;
  ms: number;
  recorded: boolean;
  retrieved: [number, number, number, number, number][];
}

export interface CausedAction {
  tick: number;
  text: string;
  address: string;
  emoji: string;
  kind: string;
}

export interface Causes {
  from: number;
  to: number;
  memories: Record<string, string>;
  actions: [number, number, string, CausedAction][];
  conversations: Record<string, string>;
  calls: Record<string, CallView>;
  led_to: Record<string, Result[]>;
  refusals: Record<string, RefusalView>;
}

export type ChapterKind = "begins" | "decision" | "told" | "passed_on" | "changed" | "ends" | "known" | "conversation" | "reflection" | "gathering";

export interface ChapterView {
  tick: number;
  kind: "begins" | "decision" | "told" | "passed_on" | "changed" | "ends" | "known" | "conversation" | "reflection" | "gathering";
  who: string[];
  address: string;
  conversation: string;
  text: string;
  changed: string[];
  count: number;
}

export interface ClosenessChange {
  tick: number;
  by: number;
  why: string;
}

export interface ConversationView {
  id: string;
  step: number;
  people: string[];
  turns: Turn[];
  address: string;
  tick: number;
  ticks: number;
  minutes: number;
  lines: LineView[];
  summary: string;
}

export interface Conversations {
  from: number;
  to: number;
  items: ConversationView[];
}

export interface Diary {
  day: string;
  days: string[];
  story: StorySentence[][];
  work: string[];
  plans: MemoryView[];
  thoughts: MemoryView[];
  stays: StayView[];
}

export interface DirectorMoveView {
  tick: number;
  kind: "occasion" | "letter" | "stranger";
  address: string;
  who: string;
  text: string;
  why: string;
}

export interface DoingView {
  tick: number;
  label: string;
  asleep: boolean;
  conversation: ConversationView | null;
}

export interface FeelingView {
  says: string;
  why: string;
  towards: string;
  memory: number;
  tick: number;
  strength: number;
  fades: number;
}

export interface Fixture {
  owner: string;
  people: string[];
  holds: number;
  closed: boolean;
  opens: number;
  closes: number;
  used_for: string[];
  goods: [number, Holding[]][];
  prices: [number, Price[]][];
  going_on: ([number, Work | null])[];
  notices: [number, Pinned[]][];
}

export interface Frames {
  from: number;
  to: number;
  residents: Record<string, Track>;
  things: Record<string, ThingChange[]>;
  conversations: ConversationView[];
  events: HappeningView[];
}

export interface Gazette {
  title: string;
  day: string;
  days: string[];
  number: number;
  articles: Article[];
  thoughts: Article[];
  notices: NoticeView[];
  coming: NoticeView[];
  threads: NoticeView[];
  market: string[];
  figures: string[];
}

export interface GoalView {
  what: string;
  since: string;
  days: number;
}

export interface GroundView {
  tick: number;
  why: string;
  regard: number;
  trust: number;
  memory: number;
}

export interface HappeningView {
  address: string;
  text: string;
  tick: number;
  ticks: number;
  planted: boolean;
}

export interface Held {
  id: string;
  step: number;
  tick: number;
  ticks: number;
  people: string[];
}

export interface Highlight {
  tick: number;
  kind: "conversation" | "reflection" | "gathering";
  who: string[];
  address: string;
  conversation: string;
  news: string[];
  weight: number;
  text: string;
}

export interface Holding {
  name: string;
  count: number;
  worn: number;
  wears: number;
  inside: [string, number][];
}

export interface Invited {
  who: string;
  by: string;
  part: "told" | "asked" | "comes" | "gives";
  tick: number;
  came: number | null;
  late: boolean;
}

export interface LastConversation {
  id: string;
  tick: number;
  summary: string;
}

export interface LineView {
  speaker: string;
  text: string;
  call: string;
}

export interface Living {
  needs: Need[];
  bodily: [number, Bodily][];
  bag: [number, Holding[]][];
  coins: [number, number][];
  house: string;
  skills: [number, [string, number][]][];
  work: ([number, Work | null])[];
}

export interface Mark {
  tick: number;
  kind: "action" | "conversation" | "reflection" | "plan";
  text: string;
}

export interface Marks {
  width: number;
  events: number[];
  conversations: number[];
  reflections: number[];
  plans: number[];
  held: Held[];
}

export interface Memories {
  from: number;
  to: number;
  items: MemoryView[];
  used: [number, number, number][];
  retired: [number, number][];
  settled: [number, number][];
}

export interface MemoryView {
  id: number;
  who: string;
  step: number;
  tick: number;
  type: "event" | "thought" | "chat" | "plan";
  text: string;
  poignancy: number;
  address: string;
  evidence: number[];
  conversation: string;
  about: string[];
  source: SourceView | null;
}

export interface MessageView {
  role: string;
  content: string;
}

export interface MindView {
  currently: string;
  memories: number;
  poignancy: number;
  threshold: number;
  reflections: number;
}

export interface MoodView {
  mood: [number, number, number];
  tick: number;
  nature: [number, number, number];
  calms: number;
  feelings: FeelingView[];
}

export interface Need {
  name: string;
  low: number;
  urgent: number;
  awake: number;
  asleep: number;
  met_by: string[];
  drains: [string, number][];
}

export interface NoticeView {
  tick: number;
  text: string;
  address: string;
}

export interface OccasionView {
  what: string;
  address: string;
  tick: number;
  end: number;
  guests: Invited[];
  away: Absent[];
}

export interface Opening {
  id: string;
  opener: string;
  tick: number;
}

export interface Opinion {
  id: string;
  regard: number;
  trust: number;
  grounds: GroundView[];
  impression: string;
  evidence: number[];
}

export interface Parting {
  who: string;
  tick: number;
  here: string;
  there: string;
}

export interface PersonaView {
  age: number;
  innate: string;
  learned: string;
  lifestyle: string;
  daily_plan: string;
  home: string;
  interests: string[];
}

export interface Pinned {
  text: string;
  tick: number;
  readers: number;
}

export interface Price {
  name: string;
  price: number;
  before: number;
  usual: number;
  tick: number;
  why: "opening" | "short" | "plenty" | "even" | "least";
  stock: number;
  wanted: number;
  days: number;
}

export interface Prompts {
  from: number;
  to: number;
  lines: string[];
  calls: Record<string, [string, number[]][]>;
}

export interface Quote {
  speaker: string;
  text: string;
}

export interface RankingView {
  recency_decay: number;
  recency_basis: "rank" | "access" | "creation";
  recency_weight: number;
  importance_weight: number;
  relevance_weight: number;
  normalise: "minmax" | "none";
  embedding: string;
  dimension: number;
}

export interface RefusalView {
  code: string;
  facts: Record<string, string | number>;
}

export interface ResidentBlock {
  from: number;
  to: number;
  persona: PersonaView | null;
  habits: string[];
  mind: [number, MindView][];
  schedule: ([number, ScheduleDay | null])[];
  goals: [number, GoalView[]][];
  promises: [number, Appointment[]][];
  relations: [number, Acquaintance[]][];
  feel: ([number, MoodView | null])[];
  moods: Record<string, string>;
  living: Living | null;
  opinions: [number, Opinion[]][];
}

export interface ResidentView {
  id: string;
  name: string;
  occupation: string;
  home: string;
  visitor: boolean;
  portrait: string | null;
  sprite: string | null;
  player: string | null;
}

export interface Result {
  type: "memory" | "action" | "conversation" | "plan";
  id?: number | string;
  text?: string;
  address?: string;
  emoji?: string;
}

export interface RunView {
  name: string;
  title: string;
  parent: string;
  world: string;
  world_name: string;
  lang: "en" | "zh";
  start: string;
  now: string;
  digest: string;
  stride: number;
  ticks: number;
  chunk: number;
  widths: Record<string, number>;
  steps: number;
  planned: number;
  finished: boolean;
  model: string;
  scripted: boolean;
  recorded: number;
  retrieval: RankingView;
  map: string | null;
  residents: ResidentView[];
  places: Record<string, string>;
  buildings: Record<string, string>;
  centres: Record<string, [number, number]>;
  things: Record<string, Thing>;
  opening: Opening | null;
  society: boolean;
  processes: boolean;
  threads: boolean;
  words: Record<string, string>;
}

export interface SceneView {
  tick: number;
  kind: "conversation" | "reflection" | "gathering";
  who: string[];
  address: string;
  conversation: string;
  news: string[];
  weight: number;
}

export interface ScheduleChange {
  conversation: string;
  with: string[];
  tick: number;
  step: number;
  instead: string[];
}

export interface ScheduleDay {
  date: string;
  made: number;
  entries: ScheduleEntry[];
}

export interface ScheduleEntry {
  start: number;
  end: number;
  activity: string;
  kind: string;
  address: string;
  origin: string;
  tasks: ScheduleTask[];
  changed: ScheduleChange | null;
}

export interface ScheduleTask {
  start: number;
  end: number;
  activity: string;
  status: string;
}

export interface ServedView {
  server: number;
  began: number;
  ms: number;
  tokens: number;
  moved: boolean;
  failed: number[];
}

export interface SourceView {
  file: string;
  passage: number;
}

export interface Spread {
  stories: Story[];
  truth?: string;
  learned?: any[];
}

export interface StayView {
  tick: number;
  end: number;
  address: string;
  doings: DoingView[];
}

export interface Stores {
  from: number;
  to: number;
  fixtures: Record<string, Fixture>;
}

export interface Story {
  id: string;
  title: string;
}

export interface StorySentence {
  tick: number;
  text: string;
  conversation: string;
  link: string;
}

export interface StoryThread {
  number: number;
  title: string;
  stage: "planted" | "active" | "paid_off" | "dropped";
  who: string[];
  moves: ThreadMove[];
}

export interface Thing {
  name: string;
  idle: string;
  tiles: [number, number][];
  facing: Record<string, "up" | "down" | "left" | "right">;
  from?: number;
  until?: number;
  picture?: string | null;
}

export interface ThingChange {
  tick: number;
  state: string;
  users: string[];
}

export interface ThreadMove {
  tick: number;
  stage: "planted" | "active" | "paid_off" | "dropped";
  omen: boolean;
  text: string;
  because: string;
  talk: Begun | null;
}

export interface ThreadView {
  people: string[];
  conversations: number;
  tick: number;
}

export interface Track {
  at: [number, number];
  moves: number[];
  actions: ActionView[];
}

export interface Trail {
  from: number;
  to: number;
  at: [number, number];
  moves: number[];
}

export interface Turn {
  line: number;
  who: string;
  comes: boolean;
}

export interface WishStepView {
  tick: number;
  event: "heard" | "planned" | "left" | "begun" | "sought" | "missed" | "talked" | "done" | "refused" | "forgotten" | "overtaken";
  why: string;
  memory: number;
}

export interface WishView {
  who: string;
  memory: number;
  text: string;
  people: string[];
  address: string;
  due: number | null;
  steps: WishStepView[];
}

export interface Work {
  text: string;
  begun: number;
  due: number;
}

export interface WorldEditView {
  tick: number;
  why: string;
  patch: string;
  changes: string[];
  harms: string[];
  pairs: [number, number][];
  entered: boolean;
}

/** The blocks of each view, by its address. */
export interface Views {
  "frames": Frames;
  "stores": Stores;
  "conversations": Conversations;
  "residents/<who>/memories": Memories;
  "residents/<who>/trail": Trail;
  "residents/<who>/beliefs": Beliefs;
  "residents/<who>": ResidentBlock;
  "residents/<who>/causes": Causes;
  "residents/<who>/prompts": Prompts;
  "marks": Marks;
  "threads": ThreadView[];
  "highlights": Highlight[];
  "chapters": ChapterView[];
  "alerts": AlertView[];
  "scenes": SceneView[];
  "occasions": OccasionView[];
  "wishes": WishView[];
  "director": DirectorMoveView[];
  "edits": WorldEditView[];
  "foreshadowing": StoryThread[];
  "arenas": Arenas;
  "spread": Spread;
  "insight/<plot>": Record<string, any>;
  "spread/story/<story>": Spread;
  "spread/memory/<who>/<memory>": Spread;
  "gazette/<lang>/<day>": Gazette;
  "residents/<who>/marks": Mark[];
  "residents/<who>/diary/<day>": Diary;
}
