import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { shellFolder, shellWish } from '../domain/terminals/shell-wish.ts'
import { savedScreen, terminalArrangement } from '../domain/terminals/saved-terminals.ts'
import { followedTerminal } from '../domain/terminals/followed-terminal.ts'
import { terminalKey } from '../domain/terminals/terminal-layout.ts'
import { terminalState } from '../domain/terminals/terminal-state.ts'
import { accountProcedure, nothing, procedure } from './base.ts'

const terminalId = z.string().min(1).max(64)
const one = z.object({ terminalId })
const kept = z.object({ key: terminalKey })
/** Where its shells begin, if that is there; `null` for home. */
const folder = shellFolder.nullable()
const size = z.object({ cols: z.number().int().min(1).max(1000), rows: z.number().int().min(1).max(1000) })

export const terminals = {
  /** Prepares a terminal; it connects once the window has handed over its port (see terminal-port.ts). */
  open: accountProcedure
    .input(size.extend({ instanceId: z.number().int(), wish: shellWish, folder }))
    .output(one),
  watch: procedure.input(one).output(eventIterator(terminalState)),
  /** Those whose output is followed for their users. */
  watchFollowed: procedure.output(eventIterator(z.array(followedTerminal).readonly())),
  /** Whether a notification tells, once, when what runs in it is done. */
  notifyWhenDone: procedure.input(one.extend({ isOn: z.boolean() })).output(nothing),
  /** Asks for a file with the system's dialog, and writes to it what the terminal outputs from then on. */
  startLog: procedure.input(one).output(nothing),
  /** Ends that, or forgets how it ended. */
  stopLog: procedure.input(one).output(nothing),
  resize: procedure.input(size.extend({ terminalId })).output(nothing),
  /** What runs in it from the next connection on. */
  setWish: procedure.input(one.extend({ wish: shellWish })).output(nothing),
  setFolder: procedure.input(one.extend({ folder })).output(nothing),
  reconnect: procedure.input(one).output(nothing),
  close: procedure.input(one).output(nothing),
  /** Opens an http address in the browser, once the user has seen it in full and agreed. */
  openPlainLink: procedure
    .input(z.object({ url: z.string().max(2048) }))
    .output(z.enum(['opened', 'refused', 'failed'])),
  /** How the account's terminals stood last; without any, none. */
  arrangement: procedure.output(terminalArrangement),
  /** What terminals that are not among them showed is deleted. */
  keepArrangement: accountProcedure.input(z.object({ arrangement: terminalArrangement })).output(nothing),
  /** What a kept terminal showed; `null` when nothing of it is kept. */
  screen: procedure.input(kept).output(savedScreen.nullable()),
  /** Kept if its terminal is, and if the user wants it. */
  keepScreen: accountProcedure.input(kept.extend({ screen: savedScreen })).output(nothing),
}
