/** Counts what may change the picture of a moment: an answer or an image that has come, and what the user does. */

let count = 0;

/** Return how many changes there have been. */
export function countChanges() {
  return count;
}

export function noteChange() {
  count++;
}

/** Note a change once a promise is settled. @template T @param {Promise<T>} promise @returns {Promise<T>} */
export function noteAfter(promise) {
  return promise.finally(noteChange);
}
