import type { Locator, Page } from '@playwright/test'
import { expect } from '@playwright/test'

/** Somebody who has no mouse. */
export interface Keyboard {
  readonly press: (key: string) => Promise<void>
  /** To a control by Tab, or back by Shift+Tab, from wherever the keyboard is. */
  readonly tabTo: (target: Locator, key?: 'Tab' | 'Shift+Tab') => Promise<void>
  /** To a control by Tab, and Enter. */
  readonly go: (target: Locator) => Promise<void>
  /** To a field by Tab, in place of what is in it. */
  readonly type: (field: Locator, text: string) => Promise<void>
}

/** More than any page has controls. */
const mostTabs = 80

export function keyboardOf(page: Page): Keyboard {
  const press = (key: string) => page.keyboard.press(key)
  async function tabTo(target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    await expect(target).toBeEnabled()
    for (let tab = 0; tab < mostTabs; tab += 1) {
      if (await target.evaluate((it) => it === document.activeElement)) return
      await press(key)
    }
    throw new Error(`The keyboard does not get to ${target.toString()}`)
  }
  return {
    press,
    tabTo,
    go: async (target) => {
      await tabTo(target)
      await press('Enter')
    },
    type: async (field, text) => {
      await tabTo(field)
      await press('Control+A')
      await page.keyboard.type(text)
    },
  }
}
