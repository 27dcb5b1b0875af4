import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { appendFileSync, readFileSync, type FSWatcher } from 'node:fs'
import { join } from 'node:path'
import type Electron from 'electron'
import { app } from './app.ts'
import { Preventable } from './prevention.ts'
import { system } from './system.ts'
import { watchFile } from './watched-file.ts'

type Implemented = Pick<Electron.Notification, 'show' | 'close' | 'title' | 'body' | 'id'>

const clickFile = 'click-notification'
/** As with Electron, one that the program lets go of is clicked in vain. */
const shown = new Map<string, WeakRef<DoubleNotification>>()
const made: WeakRef<DoubleNotification>[] = []
let watcher: FSWatcher | null = null
let activated: ((details: Electron.ActivationArguments) => void) | null = null

/**
 * Notifications that nobody sees: each is a line of JSON in `notifications.jsonl` in the data folder. Writing a
 * title into `click-notification` there clicks the notification that has it. What tells the program differs by system.
 */
export class DoubleNotification extends EventEmitter implements Implemented {
  static isSupported(): boolean {
    return true
  }

  /** Of Windows alone; other systems' Electron does not have it. */
  static handleActivation(callback: (details: Electron.ActivationArguments) => void): void {
    if (system.platform !== 'win32') throw new TypeError('Notification.handleActivation is not a function')
    activated = callback
  }

  readonly id: string
  readonly title: string
  readonly body: string

  constructor({ id = randomUUID(), title = '', body = '' }: Electron.NotificationConstructorOptions = {}) {
    super()
    this.id = id
    this.title = title
    this.body = body
    made.push(new WeakRef(this))
  }

  show(): void {
    const { id, title, body } = this
    // macOS shows nothing of a program that is not signed.
    if (!system.isSigned) {
      setImmediate(() => this.emit('failed', new Preventable(), 'Notifications are not allowed'))
      return
    }
    const folder = app.getPath('userData')
    shown.set(id, new WeakRef(this))
    watcher ??= watchClicks(folder)
    appendFileSync(join(folder, 'notifications.jsonl'), `${JSON.stringify({ title, body })}\n`)
  }

  close(): void {
    if (shown.delete(this.id)) this.emit('close', new Preventable())
  }
}

/** What the user and the system do with notifications, by their ids. */
export const toasts = {
  /** How many objects the collector has not taken, shown or not. */
  alive: (): number => made.filter((one) => one.deref()).length,

  /** Those that can be clicked, and that the program still holds. */
  held: (): readonly string[] => [...shown].flatMap(([id, weak]) => (weak.deref() ? [id] : [])),

  /** It leaves the screen: Windows keeps it in the Action Center, where it can be clicked. */
  timeOut: (id: string): void => {
    const notification = shown.get(id)?.deref()
    if (system.platform === 'win32')
      notification?.emit('close', Object.assign(new Preventable(), { reason: 'timedOut' }))
  },

  /** The user closes it. */
  dismiss: (id: string): void => {
    const notification = shown.get(id)?.deref()
    shown.delete(id)
    notification?.emit('close', Object.assign(new Preventable(), { reason: 'userCanceled' }))
  },

  /** Of a click Windows tells without an id; Linux may leave it open, and tells nothing more of it. */
  click: (id: string): void => {
    const notification = shown.get(id)?.deref()
    shown.delete(id)
    if (system.platform === 'win32') activated?.({ type: 'click', arguments: '' })
    notification?.emit('click', new Preventable())
  },

  /** Windows tells of a button twice when the notification is held, and once when it is not. */
  press: (id: string): void => {
    if (system.platform === 'linux') throw new Error('There are no buttons on Linux')
    const notification = shown.get(id)?.deref()
    shown.delete(id)
    if (system.platform === 'win32')
      activated?.({ type: 'action', actionIndex: 0, arguments: `type=action&action=0&tag=${id}` })
    notification?.emit('action', Object.assign(new Preventable(), { actionIndex: 0 }), 0, -1)
  },
}

/** Apart from `show`, whose notification it would hold. */
function watchClicks(folder: string): FSWatcher {
  return watchFile(folder, clickFile, () => clickTitle(readFileSync(join(folder, clickFile), 'utf8').trim()))
}

function clickTitle(title: string): void {
  const id = toasts.held().findLast((one) => shown.get(one)?.deref()?.title === title)
  if (id !== undefined) toasts.click(id)
}
