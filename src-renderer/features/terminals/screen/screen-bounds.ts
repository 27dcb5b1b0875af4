import { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes'
import type { IUnicodeHandling, IUnicodeVersionProvider, Terminal } from '@xterm/xterm'

/**
 * So many characters join the first one of a cell; each further one has a cell of its own. xterm.js has no bound: one
 * cell that took 40 MB of combining marks had the page draw it for minutes and die. The longest emoji that Unicode
 * recommends has ten characters, and real marks come by twos and threes.
 */
const mostJoined = 15

/**
 * So many links (OSC 8) does a terminal know, of the lines that it keeps: the oldest become plain text. xterm.js
 * keeps each for as long as its line, 1.5 KB of memory for every link that was ever written to a line, and while a
 * link is open it looks through its lines for each character.
 */
const mostLinks = 2_000

/** Longer addresses are no links; VTE's bound, which the specification of OSC 8 names. */
const longestLink = 2_083

/**
 * More lines, characters or tabs at once than any screen has. xterm.js takes each step of such a sequence by itself:
 * two thousand million of them would stop the page for an hour.
 */
const mostRepeats = 1_000

/** The sequences that xterm.js runs a loop for: REP, IL, DL, SU, SD, CBT. */
const repeating = ['b', 'L', 'M', 'S', 'T', 'Z'] as const

/** Bounds what a program on a machine can have this terminal keep or do, in memory and time. */
export function boundScreen(terminal: Terminal): void {
  joinBounded(terminal)
  const forget = (): void => {
    while (terminal.markers.length > mostLinks) terminal.markers[0]?.dispose()
  }
  // A link that is left open gets a mark on each further line.
  terminal.onScroll(forget)
  terminal.parser.registerOscHandler(8, (link) => {
    forget()
    return link.length > longestLink
  })
  for (const final of repeating)
    terminal.parser.registerCsiHandler(
      { final },
      ([count]) => typeof count === 'number' && count > mostRepeats,
    )
}

/** Takes the widths of emoji and combined characters from the addon, which alone makes its provider. */
function joinBounded(terminal: Terminal): void {
  const { unicode } = terminal
  const bounded: IUnicodeHandling = {
    register: (provider) => unicode.register(bound(provider)),
    get versions() {
      return unicode.versions
    },
    get activeVersion() {
      return unicode.activeVersion
    },
    set activeVersion(version) {
      unicode.activeVersion = version
    },
  }
  const known = new Proxy(terminal, {
    get: (target, name): unknown => (name === 'unicode' ? bounded : Reflect.get(target, name, target)),
  })
  new UnicodeGraphemesAddon().activate(known)
}

/** xterm.js's own properties of a character: whether it joins, two bits of width, 24 bits of state. */
const joins = 1
const countShift = 27
const withoutCount = (1 << countShift) - 1

/** Counts in the bits above those that xterm.js uses how many have joined. */
function bound(provider: IUnicodeVersionProvider): IUnicodeVersionProvider {
  return {
    version: provider.version,
    wcwidth: (codepoint) => provider.wcwidth(codepoint),
    charProperties: (codepoint, preceding) => {
      const properties = provider.charProperties(codepoint, preceding & withoutCount)
      if ((properties & joins) === 0) return properties
      const joined = preceding >>> countShift
      return joined < mostJoined
        ? properties | ((joined + 1) << countShift)
        : // The count stays: cells full of marks, which a row's text joins again, would take seconds to draw.
          provider.charProperties(codepoint, 0) | (joined << countShift)
    },
  }
}
