import type { Page } from '@playwright/test'
import type { Simulator } from '../../simulator/simulator.ts'
import { expect } from './world-test.ts'

/** What people do on the page of templates, and what its service saw of it. */

export const templatesTable = (page: Page) => page.getByRole('table', { name: 'Templates' })

/** Names of the templates in sight, from the top. */
export async function namesInSight(page: Page): Promise<string[]> {
  const rows = templatesTable(page).locator('tr[data-row] td:nth-child(2)')
  await expect(rows.first()).toBeVisible()
  return (await rows.allInnerTexts()).map((text) => text.trim())
}

/** What the service was asked for last. */
export function lastFilters(service: Simulator): unknown {
  const { path } = service
    .journal()
    .findLast(({ method, path: asked }) => method === 'GET' && asked.startsWith('/api/v0/template/')) ?? {
    path: '',
  }
  const text = new URLSearchParams(path.split('?', 2)[1] ?? '').get('select_filters')
  return text === null ? null : JSON.parse(text)
}

export async function openTemplates(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Templates' }).click()
  await expect(templatesTable(page)).toBeVisible()
}

/** Opens the page of the template with this name, among all. */
export async function openTemplate(page: Page, name: string): Promise<void> {
  await openTemplates(page)
  await page.getByRole('button', { name: 'All', exact: true }).click()
  await page.getByLabel('Find in the table').fill(name)
  await page
    .getByRole('button', { name: new RegExp(`^Open template \\d+, ${name}`) })
    .first()
    .click()
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
}

/** The editor of a new template. */
export async function newTemplate(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Templates' }).click()
  await page.getByRole('button', { name: 'New template' }).click()
  await expect(page.getByRole('heading', { name: 'New template' })).toBeVisible()
}

/** The editor of a template that is there. */
export async function editTemplate(page: Page, id: number): Promise<void> {
  await page.evaluate((path) => {
    location.hash = path
  }, `#/templates/${id}/edit`)
  await expect(page.getByRole('heading', { name: /^Edit/ })).toBeVisible()
}

/** The bodies that were sent to the service's templates, the oldest first. */
export function sentTemplates(service: Simulator, method: string) {
  return service
    .journal()
    .filter((entry) => entry.method === method && entry.path === '/api/v0/template/' && entry.key !== null)
    .map(({ body }) => body)
}
