/** The longest line, in UTF-16 units; a longer one becomes several, at a space near the end if there is one. */
const longestLine = 8_192
const nearEnd = 1_024

/** What ends a string (OSC, DCS, …), or its sequence. */
const stringEnd = /[\x07\x18\x1a\x1b\x9c]/g

/** Each of these has one column. */
const plainRow = /^[ -~]*$/

type State = 'text' | 'escape' | 'intermediate' | 'csi' | 'osc' | 'string'

/**
 * What a program writes to a terminal, as lines of text: without escape sequences and controls, each as it stood when
 * it ended. What follows a lone CR takes the place of the line, and a backspace takes a character back, so that a progress bar is its
 * last state. It knows no screen but its width: a line that a shell's editor wraps, with one character beyond the last
 * column and CR (readline, zle), stays one line. Of programs that draw on all of the screen only the letters are left.
 *
 * Linear, with bounded memory, and the same however the bytes are split. Parsed as terminals do (ECMA-48; the states of
 * Paul Williams' parser, https://vt100.net/emu/dec_ansi_parser).
 */
export class PlainLines {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  #state: State = 'text'
  /** Of a control sequence. */
  #parameters = ''
  #line = ''
  /** The cursor is at the line's beginning: what comes next overwrites it. */
  #isReturned = false
  /**
   * Where in the line the row begins that the cursor is in: 0, or where an editor wrapped; less than 0 once its line was
   * cut. `null` where what came first isn't here, such as the prompt: the row may end anywhere.
   */
  #rowStart: number | null = null
  readonly #columns: () => number | null

  /** @param columns of the terminal's screen now; `null` while unknown */
  constructor(columns: () => number | null = () => null) {
    this.#columns = columns
  }

  /** @returns the lines that these bytes end */
  push(bytes: Uint8Array): readonly string[] {
    return this.#take(this.#decoder.decode(bytes, { stream: true }))
  }

  /** Nothing follows, or something else does. @returns the line that was not ended, if there is one */
  end(): readonly string[] {
    const lines = this.#take(this.#decoder.decode())
    if (this.#line !== '') this.#endLine(lines)
    this.#state = 'text'
    this.#isReturned = false
    this.#rowStart = null
    return lines
  }

  #take(text: string): string[] {
    const lines: string[] = []
    let at = 0
    while (at < text.length) {
      if (this.#state === 'osc' || this.#state === 'string') at = this.#skipString(text, at)
      else if (this.#state === 'text') at = this.#takeText(text, at, lines)
      else at = this.#takeSequence(text, at, lines)
    }
    return lines
  }

  #takeText(text: string, from: number, lines: string[]): number {
    let end = from
    while (end < text.length && !isControl(text.charCodeAt(end))) end += 1
    if (end > from) this.#write(text.slice(from, end), lines)
    if (end === text.length) return end
    this.#control(text.charCodeAt(end), lines)
    return end + 1
  }

  #write(text: string, lines: string[]): void {
    if (this.#isReturned) {
      if (this.#isWrapped(text)) this.#rowStart = this.#line.length - 1
      this.#rowStart ??= 0
      this.#line = this.#line.slice(0, Math.max(0, this.#rowStart))
    }
    this.#line += text
    this.#isReturned = false
    while (this.#line.length > longestLine) {
      const space = this.#line.lastIndexOf(' ', longestLine - 1)
      const cut = space > longestLine - nearEnd ? space + 1 : wholeCharacters(this.#line, longestLine)
      lines.push(this.#line.slice(0, cut))
      this.#line = this.#line.slice(cut)
      if (this.#rowStart !== null) this.#rowStart -= cut
    }
  }

  #endLine(lines: string[]): void {
    lines.push(this.#line)
    this.#line = ''
    this.#isReturned = false
    this.#rowStart = 0
  }

  /** What an editor takes the cursor to the next row by, and then overwrites: a space, or what is to stand there. */
  #isWrapped(next: string): boolean {
    const columns = this.#columns()
    const last = this.#line.at(-1)
    if (columns === null || last === undefined || (last !== ' ' && !next.startsWith(last))) return false
    const row = this.#line.slice(Math.max(0, this.#rowStart ?? 0), -1)
    // Other characters have two columns, or none. A row too many in a line is ugly; one too few is half of a secret.
    if (!plainRow.test(row)) return row.length >= columns / 2
    const length = this.#line.length - (this.#rowStart ?? 0) - 1
    return length > 0 && (this.#rowStart === null ? length <= columns : length % columns === 0)
  }

  #control(code: number, lines: string[]): void {
    switch (code) {
      case 0x0a: // LF
      case 0x0b: // VT
      case 0x0c: // FF
      case 0x84: // IND
      case 0x85: // NEL
        return this.#endLine(lines)
      case 0x0d:
        this.#isReturned = true
        return
      case 0x09:
        return this.#write('\t', lines)
      case 0x08:
        if (!this.#isReturned)
          this.#line = this.#line.slice(0, wholeCharacters(this.#line, this.#line.length - 1))
        return
      case 0x1b:
        this.#state = 'escape'
        return
      case 0x9b: // CSI
        this.#parameters = ''
        this.#state = 'csi'
        return
      case 0x9d: // OSC
        this.#state = 'osc'
        return
      case 0x90: // DCS
      case 0x98: // SOS
      case 0x9e: // PM
      case 0x9f: // APC
        this.#state = 'string'
        return
      default:
    }
  }

  #skipString(text: string, from: number): number {
    stringEnd.lastIndex = from
    const end = stringEnd.exec(text)?.index ?? text.length
    if (end === text.length) return end
    const code = text.charCodeAt(end)
    if (code === 0x1b) this.#state = 'escape'
    // A bell ends an OSC alone.
    else if (code !== 0x07 || this.#state === 'osc') this.#state = 'text'
    return end + 1
  }

  #takeSequence(text: string, at: number, lines: string[]): number {
    const code = text.charCodeAt(at)
    if (isControl(code)) {
      // CAN and SUB end it, and so does a control of C1; others are done within it.
      if (code === 0x18 || code === 0x1a || code >= 0x80) this.#state = 'text'
      if (code !== 0x18 && code !== 0x1a) this.#control(code, lines)
      return at + 1
    }
    if (code >= 0xa0) {
      this.#state = 'text'
      return at
    }
    if (this.#state === 'csi') this.#takeParameter(text.charAt(at))
    else if (code < 0x30) this.#state = 'intermediate'
    else if (this.#state === 'intermediate') this.#state = 'text'
    else this.#begin(text.charAt(at), lines)
    return at + 1
  }

  #takeParameter(character: string): void {
    if (character < '@') {
      this.#parameters = (this.#parameters + character).slice(0, 2)
      return
    }
    this.#state = 'text'
    // To the first column (CHA), as progress bars without CR do.
    if (character === 'G' && ['', '0', '1'].includes(this.#parameters)) this.#isReturned = true
  }

  /** After an escape character. */
  #begin(character: string, lines: string[]): void {
    this.#state = 'text'
    if (character === '[') this.#control(0x9b, lines)
    else if (character === ']') this.#state = 'osc'
    else if ('PX^_'.includes(character)) this.#state = 'string'
    else if (character === 'D' || character === 'E') this.#endLine(lines)
  }
}

/** C0, DEL, C1: all else is text. */
function isControl(code: number): boolean {
  return code < 0x20 || (code >= 0x7f && code < 0xa0)
}

/** At most so many units, without half of a character. */
function wholeCharacters(text: string, length: number): number {
  const last = text.charCodeAt(length - 1)
  const next = text.charCodeAt(length)
  const isBetween = last >= 0xd800 && last <= 0xdbff && next >= 0xdc00 && next <= 0xdfff
  return isBetween ? length - 1 : Math.max(0, length)
}
