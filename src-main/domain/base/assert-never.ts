/** Ends a switch over a closed union: the compiler refuses a call that could be reached. */
export function assertNever(value: never): never {
  throw new Error(`Unhandled case: ${JSON.stringify(value)}`)
}
