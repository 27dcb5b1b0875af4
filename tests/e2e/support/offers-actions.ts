import type { Page } from '@playwright/test'
import type { Simulator } from '../../simulator/simulator.ts'
import { expect } from './world-test.ts'

/** What people do on the page of offers, and what its service saw of it. */

export const offersTable = (page: Page) => page.getByRole('table', { name: 'Offers', exact: true })

export const offerRow = (page: Page, id: number) =>
  offersTable(page)
    .getByRole('row')
    .filter({ has: page.getByRole('checkbox', { name: `Select offer ${id}` }) })

export async function search(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await expect(page.locator('[aria-busy="false"]').first()).toBeVisible()
}

/** Ids of the offers in sight, from the top, once there are some. */
export async function idsInSight(page: Page): Promise<number[]> {
  const boxes = offersTable(page).getByRole('checkbox', { name: /^Select offer / })
  await expect(boxes.first()).toBeVisible()
  const labels = await boxes.evaluateAll((all) => all.map((box) => box.getAttribute('aria-label') ?? ''))
  return labels.map((label) => Number(/\d+$/.exec(label)?.[0]))
}

/** Another user takes an offer off the market. */
export async function takeAway(service: Simulator, id: number): Promise<void> {
  const response = await fetch(`${service.baseUrl}/api/v0/asks/${id}/`, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${service.account('default').key}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ image: 'ubuntu:24.04', disk: 8 }),
  })
  expect(response.ok).toBe(true)
}
