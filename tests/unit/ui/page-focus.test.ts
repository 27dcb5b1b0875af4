import { beforeEach, expect, test, vi } from 'vitest'
import { rememberKeyboard } from '#ui/page-focus.ts'

const observers: (() => void)[] = []
class FakeObserver {
  readonly #check: () => void
  constructor(check: () => void) {
    this.#check = check
  }
  observe(): void {
    observers.push(this.#check)
  }
  disconnect(): void {
    observers.splice(observers.indexOf(this.#check), 1)
  }
}

/** A button, as far as the keyboard is concerned: one that is disabled cannot have it. */
class FakeButton {
  isConnected = true
  isDisabled = false
  focus(): void {
    page.activeElement = this
    page.dispatchEvent(new Event('focusin'))
  }
  matches(): boolean {
    return this.isDisabled
  }
}
const body = {}
const page = Object.assign(new EventTarget(), { body, activeElement: body })

beforeEach(() => {
  vi.stubGlobal('document', page)
  vi.stubGlobal('HTMLElement', FakeButton)
  vi.stubGlobal('MutationObserver', FakeObserver)
  observers.length = 0
})

/** A button that was pressed, and has given the keyboard away while it is at work. */
function pressed() {
  const button = new FakeButton()
  button.focus()
  const giveBack = rememberKeyboard()
  page.activeElement = body
  return { button, giveBack }
}

test('what was pressed has the keyboard again', async () => {
  const { button, giveBack } = pressed()
  await giveBack()
  expect(page.activeElement).toBe(button)
})

test('not when something else has had it meanwhile, and has gone', async () => {
  const { giveBack } = pressed()
  new FakeButton().focus()
  page.activeElement = body
  await giveBack()
  expect(page.activeElement).toBe(body)
})

test('not when it is gone', async () => {
  const { button, giveBack } = pressed()
  button.isConnected = false
  await giveBack()
  expect(page.activeElement).toBe(body)
  expect(observers).toEqual([])
})

test('one that can be pressed again only later has it then, unless something else has had it', async () => {
  const first = pressed()
  first.button.isDisabled = true
  await first.giveBack()
  expect(page.activeElement).toBe(body)
  first.button.isDisabled = false
  for (const check of observers) check()
  expect(page.activeElement).toBe(first.button)
  expect(observers).toEqual([])

  const second = pressed()
  second.button.isDisabled = true
  await second.giveBack()
  new FakeButton().focus()
  page.activeElement = body
  expect(observers).toEqual([])
})
