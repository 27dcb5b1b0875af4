// An instance writes whatever it likes: here it becomes text that only text can be.

/** Sequences of ECMA-48 and xterm: CSI, those that carry a string, and the short ones. */
const escapes = /\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]*[0-~])/g

/** Output as plain lines: without escape sequences, and lines that were written over as they stood last. */
export function plainText(output: string): string {
  return output
    .replaceAll(escapes, '')
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => (line.includes('\r') ? overwritten(line) : line))
    .join('\n')
    .replaceAll(/(?![\n\t])\p{Cc}/gu, '\uFFFD')
}

/** A bar of progress returns to the start of its line: what is to be seen is the last that it wrote. */
function overwritten(line: string): string {
  return line.split('\r').findLast((part) => part !== '') ?? ''
}
