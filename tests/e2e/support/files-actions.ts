import type { Locator, Page } from '@playwright/test'
import type { Simulator } from '../../simulator/simulator.ts'
import { instanceRow, instancesOf, rent, untilRunning } from './actions.ts'

/** A rented machine that runs. */
export interface RentedMachine {
  readonly id: number
  /** Of its sshd, on 127.0.0.1. */
  readonly sshPort: number
  /** Its home folder, on this machine. */
  readonly home: string
}

/** Rents, and waits on the page of instances. */
export async function rentMachine(page: Page, service: Simulator): Promise<RentedMachine> {
  await rent(page)
  await page.getByRole('link', { name: /^Instances/ }).click()
  await untilRunning(page)
  const [instance] = await instancesOf(service)
  const home = instance && service.instances.homeOf(instance.id)
  if (!instance || home === null || home === undefined) throw new Error('No machine was rented')
  return { id: instance.id, sshPort: instance.ssh_port, home }
}

/** From the page of instances to the files of the only one. */
export async function showFiles(page: Page) {
  await instanceRow(page)
    .getByText(/^running$/i)
    .click()
  await page.getByRole('link', { name: 'Files' }).click()
  return {
    here: page.getByRole('region', { name: 'This computer' }),
    there: page.getByRole('region', { name: 'The instance' }),
    transfers: page.getByRole('region', { name: 'Transfers' }),
  }
}

/** As `showFiles`, of a machine that was not connected to before. */
export async function openFiles(page: Page) {
  const panes = await showFiles(page)
  await page.getByRole('button', { name: 'Trust this host' }).click()
  return panes
}

/** Opens a folder or file that a pane shows. */
export async function openEntry(pane: Locator, name: string): Promise<void> {
  await pane.getByText(name, { exact: true }).dblclick()
}
