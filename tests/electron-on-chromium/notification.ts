import { EventEmitter } from 'node:events'
import { appendFileSync, readFileSync, watch, type FSWatcher } from 'node:fs'
import { join } from 'node:path'
import type Electron from 'electron'
import { app } from './app.ts'

type Implemented = Pick<Electron.Notification, 'show' | 'close' | 'title' | 'body'>

const clickFile = 'click-notification'
const shown = new Set<DoubleNotification>()
let watcher: FSWatcher | null = null

/**
 * Notifications that nobody sees: each is a line of JSON in `notifications.jsonl` in the data folder. Writing a
 * title into `click-notification` there clicks the notification that has it.
 */
export class DoubleNotification extends EventEmitter implements Implemented {
  static isSupported(): boolean {
    return true
  }

  readonly title: string
  readonly body: string

  constructor({ title = '', body = '' }: Electron.NotificationConstructorOptions = {}) {
    super()
    this.title = title
    this.body = body
  }

  show(): void {
    const { title, body } = this
    const folder = app.getPath('userData')
    shown.add(this)
    watcher ??= watch(folder, (_event, name) => {
      if (name === clickFile) clickAsAsked(join(folder, clickFile))
    }).unref()
    appendFileSync(join(folder, 'notifications.jsonl'), `${JSON.stringify({ title, body })}\n`)
  }

  close(): void {
    if (shown.delete(this)) this.emit('close')
  }
}

function clickAsAsked(file: string): void {
  const title = readFileSync(file, 'utf8').trim()
  const notification = [...shown].findLast((one) => one.title === title)
  notification?.emit('click')
  notification?.close()
}
