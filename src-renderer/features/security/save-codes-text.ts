/** Where the codes were written. */
export function savedToText(path: string): string {
  return `Saved to ${path} in plain text. Store a copy outside this computer where only you can read it.`
}

export function printedTitle(account: string): string {
  return `Backup codes of ${account}`
}

export function printedNote(day: string): string {
  return `Printed on ${day}. Each code works once.`
}
