/** How far one address of an instance has come. */
export type AddressTry = 'untried' | 'trying' | 'failed' | 'greeted'

/** What to do next about the addresses of an instance; `index` is that of an address. */
export type RaceStep =
  | { readonly kind: 'try'; readonly index: number }
  | { readonly kind: 'wait' }
  | { readonly kind: 'won'; readonly index: number }
  | { readonly kind: 'lost' }

/**
 * Which address of an instance is tried next (as in RFC 8305, "Happy Eyeballs"): one after the other, each as soon as
 * those before it have failed or had their head start. The first one that greets as an SSH server wins.
 *
 * @param tries in order of preference
 * @param isHeadStartOver of the address that was tried last
 */
export function nextRaceStep(tries: readonly AddressTry[], isHeadStartOver: boolean): RaceStep {
  const winner = tries.indexOf('greeted')
  if (winner >= 0) return { kind: 'won', index: winner }
  const next = tries.indexOf('untried')
  const isTrying = tries.includes('trying')
  if (next >= 0 && (!isTrying || isHeadStartOver)) return { kind: 'try', index: next }
  return { kind: isTrying ? 'wait' : 'lost' }
}
