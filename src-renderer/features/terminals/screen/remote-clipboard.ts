import { ClipboardAddon } from '@xterm/addon-clipboard'
import type { Terminal } from '@xterm/xterm'

/** The longest text that a machine may put into the clipboard, in UTF-16 units. */
const longestText = 1_000_000

/**
 * OSC 52, by which a program on the machine writes the clipboard (tmux and vim do). It is written only after
 * the user agreed; `written` asks. What is in the clipboard is never told: a machine that others run could
 * read passwords there.
 */
export function hearClipboard(terminal: Terminal, written: (text: string) => void): void {
  terminal.loadAddon(
    new ClipboardAddon(undefined, {
      readText: () => '',
      writeText(_selection, text) {
        // Empty is also what the addon makes of what is not base64.
        if (text !== '' && text.length <= longestText) written(text)
      },
    }),
  )
  // The newest handler is asked first: a question gets no answer, not even an empty one.
  terminal.parser.registerOscHandler(52, (data) => /;\?\s*$/u.test(data.slice(0, 100)))
}
