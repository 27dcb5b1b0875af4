/** So many at once: the service may answer slowly, but must not be flooded. */
const atOnce = 3

/** Does the same for each id, a few at a time, in order. `act` tells its failures itself and does not throw. */
export async function runForAll(ids: readonly number[], act: (id: number) => Promise<void>): Promise<void> {
  const waiting = [...ids]
  const worker = async (): Promise<void> => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) await act(id)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, ids.length) }, worker))
}
