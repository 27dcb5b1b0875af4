import { execFile } from 'node:child_process'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, type Page } from '@playwright/test'
import { withAuthorizedKey } from '#domain/renting/onstart.ts'
import { chooseOffer } from './actions.ts'
import type { Simulator } from '../../simulator/simulator.ts'

/** What people do in the rent sheet, in the words that stand in it. */

/** A template of the default account. */
export async function makeTemplate(service: Simulator, fields: object): Promise<void> {
  const reply = await callWith(service.key, service, 'POST', '/api/v0/template/', {
    name: 'My trainer',
    image: 'team/trainer',
    tag: 'v3',
    recommended_disk_space: 40,
    docker_login_repo: '',
    docker_login_user: '',
    docker_login_pass: '',
    ...fields,
  })
  expect(reply.status).toBe(200)
}

export function callWith(key: string, { baseUrl }: Simulator, method: string, path: string, body?: object) {
  return fetch(baseUrl + path, {
    method,
    headers: { authorization: `Bearer ${key}` },
    ...(body && { body: JSON.stringify(body) }),
  })
}

export async function openSheet(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page
    .getByRole('table', { name: 'Offers', exact: true })
    .getByRole('button', { name: /^Rent/ })
    .first()
    .click()
}

export async function chooseTemplate(page: Page): Promise<void> {
  await page.getByLabel('Template').click()
  await page.getByRole('option', { name: /My trainer/ }).click()
  await expect(page.getByLabel('Disk (GB)')).toHaveValue('40')
}

export async function addVariable(page: Page, row: number, name: string, value: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a variable' }).click()
  await page.getByLabel(`Name of variable ${row}`).fill(name)
  await page.getByLabel(`Value of variable ${row}`).fill(value)
}

export async function addPort(
  page: Page,
  row: number,
  host: string,
  container: string,
  protocol?: 'UDP',
): Promise<void> {
  await page.getByRole('button', { name: 'Add a port' }).click()
  await page.getByLabel(`Host port ${row}`).fill(host)
  await page.getByLabel(`Container port ${row}`).fill(container)
  if (protocol === undefined) return
  await page.getByLabel(`Protocol of port ${row}`).click()
  await page.getByRole('option', { name: protocol }).click()
}

/** A private key in ~/.ssh whose passphrase is “open sesame”. @returns its path */
export async function makeKeyFile(userData: string, name: string): Promise<string> {
  const folder = join(userData, 'home', '.ssh')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, name)
  await promisify(execFile)('ssh-keygen', ['-q', '-t', 'ed25519', '-N', 'open sesame', '-f', file])
  return file
}

/** From the first run's end: rents a machine that knows this key file alone. */
export async function rentForKeyFile(page: Page, file: string): Promise<void> {
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('link', { name: 'Find a machine' }).click()
  await chooseOffer(page)
  await page
    .getByLabel('Start script')
    .fill(withAuthorizedKey('', (await readFile(`${file}.pub`, 'utf8')).trim()))
  await page.getByLabel('Add my SSH key to the machine').click()
  await page.getByRole('button', { name: 'Rent this machine' }).click()
}
