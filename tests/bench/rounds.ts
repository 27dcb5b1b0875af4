type Measures = Readonly<Record<string, () => Promise<unknown>>>
type Taken<M extends Measures> = { readonly [Name in keyof M]: Awaited<ReturnType<M[Name]>>[] }

/**
 * Measures all of them in turn, round after round, and every other round in reverse order: whatever else the
 * machine does meets each of them alike.
 */
export async function takeTurns<M extends Measures>(rounds: number, measures: M): Promise<Taken<M>> {
  const names = Object.keys(measures)
  const taken = new Map<string, unknown[]>(names.map((name) => [name, []]))
  for (let round = 0; round < rounds; round += 1)
    for (const name of round % 2 === 0 ? names : names.toReversed())
      taken.get(name)?.push(await measures[name]?.())
  return Object.fromEntries(taken) as Taken<M>
}
