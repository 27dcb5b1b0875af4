/** A seeded source of pseudo-random values: the same seed gives the same world. */
export interface Random {
  /** A number from 0 (included) to 1 (not included). */
  fraction(): number
  /** A number from `low` to `high`, rounded to `decimals`. */
  between(low: number, high: number, decimals?: number): number
  /** An integer from `low` to `high`, both included. */
  integer(low: number, high: number): number
  chance(probability: number): boolean
  pick<const Choices extends readonly [unknown, ...unknown[]]>(choices: Choices): Choices[number]
  /** `length` hexadecimal digits. */
  hex(length: number): string
}

/** The generator "mulberry32": small, fast, and good enough for made-up data. Not for secrets. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const integer = (low: number, high: number): number => low + Math.floor(fraction() * (high - low + 1))
  return {
    fraction,
    integer,
    between: (low, high, decimals = 2) => Number((low + fraction() * (high - low)).toFixed(decimals)),
    chance: (probability) => fraction() < probability,
    pick: (choices) => choices[integer(0, choices.length - 1)] ?? choices[0],
    hex: (length) => Array.from({ length }, () => integer(0, 15).toString(16)).join(''),
  }
}
