/** Ticks to game time and back to words. Game time has no zone: it is computed as if it were UTC. */

import { t } from "./i18n.js";

export const TICK_SECONDS = 10;
export const TICKS_PER_MINUTE = 60 / TICK_SECONDS;
export const TICKS_PER_HOUR = 60 * TICKS_PER_MINUTE;
const DAY = 86_400_000; // milliseconds
const WEEK = 7; // days
const LATEST = 8.64e15; // milliseconds of the last moment that a Date can be

/** @satisfies {Record<string, Intl.DateTimeFormatOptions>} */
const FORMATS = {
  date: { weekday: "short", month: "short", day: "numeric" },
  short: { month: "short", day: "numeric" },
  weekday: { weekday: "short" },
  long: { dateStyle: "full" },
};

export class GameTime {
  /** @param {string} start ISO, without zone @param {string} lang */
  constructor(start, lang) {
    this.start = Date.parse(`${start.slice(0, 19)}Z`);
    this.firstDay = Math.floor(this.start / DAY);
    this.lang = lang === "zh" ? "zh-CN" : "en-GB";
    /** @type {Map<keyof FORMATS, Intl.DateTimeFormat>} those that have been needed: each takes milliseconds to make */
    this.formats = new Map();
  }

  /** @param {keyof FORMATS} form @param {Date} moment */
  written(form, moment) {
    const format = this.formats.get(form) ?? new Intl.DateTimeFormat(this.lang, { ...FORMATS[form], timeZone: "UTC" });
    this.formats.set(form, format);
    return format.format(moment);
  }

  /** "Thursday 13 February 2025" @param {string} day ISO */
  longDate(day) {
    return this.written("long", new Date(`${day}T00:00Z`));
  }

  /** @param {number} tick */
  moment(tick) {
    return new Date(Math.min(this.start + tick * TICK_SECONDS * 1000, LATEST));
  }

  /** Hours since midnight, 0 to below 24. @param {number} tick */
  hour(tick) {
    return ((this.start + tick * TICK_SECONDS * 1000) % DAY) / 3_600_000;
  }

  /** The tick at which the day of a moment began; below 0 for one before the run. @param {number} tick */
  midnight(tick) {
    const now = Math.floor(tick);
    return now - Math.round(this.hour(now) * TICKS_PER_HOUR);
  }

  /** @param {number} tick */
  clock(tick) {
    return this.moment(tick).toISOString().slice(-13, -8);
  }

  /** "13 Feb" @param {number} tick */
  date(tick) {
    return this.written("short", this.moment(tick));
  }

  /** "Thu 08:10"; "Thu 20 Feb 08:10" where its weekday could be taken for one nearer to another moment. @param {number} tick @param {number} [seen] the moment from which it is looked at */
  stamp(tick, seen = tick) {
    const far = Math.abs(this.dayOf(tick) - this.dayOf(seen)) >= WEEK;
    return `${this.written(far ? "date" : "weekday", this.moment(tick))} ${this.clock(tick)}`;
  }

  /** Days from 1970 to a moment. @param {number} tick */
  dayOf(tick) {
    return Math.floor(this.moment(tick).getTime() / DAY);
  }

  /** The tick at which a day begins; below 0 for the first one. @param {string} day ISO */
  begin(day) {
    return (Date.parse(`${day}T00:00Z`) - this.start) / (TICK_SECONDS * 1000);
  }

  /** "Day 1 · Thu 13 Feb" @param {number} tick */
  day(tick) {
    const moment = this.moment(tick);
    const number = this.dayOf(tick) - this.firstDay + 1;
    return `${t("Day {day}", { day: number })} · ${this.written("date", moment)}`;
  }
}

/** "08:10" @param {number} minute since midnight */
export function hhmm(minute) {
  return [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, "0")).join(":");
}

/** "2 h 5 min" @param {number} minutes */
export function duration(minutes) {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return hours ? (rest ? t("{hours} h {minutes} min", { hours, minutes: rest }) : t("{hours} h", { hours })) : t("{minutes} min", { minutes: rest });
}
