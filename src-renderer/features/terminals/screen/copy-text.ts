/** Puts text into the clipboard; `false` when the system refuses. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // Refused, or the window is not in front: told by whoever asked.
    return false
  }
}
