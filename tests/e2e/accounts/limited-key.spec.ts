import { connect } from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ account: 'none', worldOptions: { service: { offers: 3, instances: 1, bootSeconds: [0, 0] } } })

test('a key that may not read the account connects: what it may do works, what is missing is shown', async ({
  world,
}) => {
  const { service, app } = world
  const { page: first } = app
  for (const category of ['misc', 'instance_write'] as const)
    await test.step(`a key with only ${category} isn’t connected, and learns what it lacks and can’t do`, async () => {
      await connect(first, { baseUrl: service.baseUrl, key: service.keys.create(service.key, [category]) })
      const alert = first.getByRole('alert')
      await expect(alert).toContainText('“the API key lacks the permission user_read”')
      await expect(alert).toContainText(
        'it lacks the permissions user_read and instance_read: it can’t read the account, find templates, or list instances',
      )
      await expect(alert).toContainText('one with user_read, instance_read, or both')
      expect.soft(await findings(first)).toEqual([])
    })
  const key = service.keys.create(service.key, ['instance_read', 'misc'])
  await connect(first, { baseUrl: service.baseUrl, key })
  const { page } = world.app
  await expect(page.getByRole('heading', { name: 'This computer' })).toBeVisible()

  await test.step('its instances are listed', async () => {
    await page.getByRole('link', { name: /^Instances/ }).click()
    await expect(page.getByRole('table', { name: 'Instances' }).getByRole('row')).toHaveCount(2)
  })
  await test.step('the error of what is refused names the permission', async () => {
    await page.getByRole('link', { name: 'Templates' }).click()
    await expect(page.getByText(/or with user_read\./).first()).toBeVisible()
    await expect(page.getByRole('button', { name: 'Mine' })).toBeHidden()
  })
  await test.step('the account’s page says what is not known, and asks what the key may do', async () => {
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'Account and key' }).click()
    const health = page.getByRole('group', { name: 'Key health' })
    await expect(health).toContainText('Works, but can’t read the account')
    await expect(health).toContainText('but not for user_read')
    await expect(page.getByText('its name, email, ID, and credit are unknown')).toBeVisible()
    const permission = (category: string) =>
      page.getByRole('table', { name: 'Permissions of the key' }).getByRole('row', { name: category })
    await expect(permission('user_read')).toContainText('lacks the permission user_read')
    await expect(permission('instance_read')).toContainText('Yes')
    await expect(permission('misc')).toContainText('Yes')
    await expect(permission('instance_write')).toContainText('Unknown')
    expect.soft(await findings(page)).toEqual([])
  })
  await test.step('another key does not take its place: nobody can tell whose it is', async () => {
    await page.getByLabel('New API key').fill(service.key)
    await page.getByRole('button', { name: 'Replace key' }).click()
    await expect(page.getByRole('alert')).toContainText('The key in use can’t read the account')
  })
  await test.step('the same key, which may read the account since, shows it, and it’s the same account', async () => {
    service.keys.limit(key, ['user_read', 'instance_read', 'misc'])
    await page.getByLabel('New API key').fill(key)
    await page.getByRole('button', { name: 'Replace key' }).click()
    await expect(page.getByText('The new key is in use.')).toBeVisible()
    await expect(page.getByText(/@example\.com \(verified\)/)).toBeVisible()
    await expect(page.getByRole('group', { name: 'Key health' })).not.toContainText('can’t read')
    expect.soft(await findings(page)).toEqual([])
    service.keys.limit(key, ['instance_read', 'misc'])
    await page.getByRole('button', { name: 'Check key' }).click()
    await expect(page.getByRole('group', { name: 'Key health' })).toContainText('can’t read')
  })
  await test.step('at the next start it is as it was', async () => {
    await world.app.close()
    const { page: again } = await world.startAgain()
    await again.getByRole('link', { name: /^Settings/ }).click()
    await again.getByRole('link', { name: 'Account and key' }).click()
    await expect(again.getByRole('group', { name: 'Key health' })).toContainText('Works, but')
  })
})

test('a service that refuses a limited key with 401 is no other: the key connects, and isn’t said to be revoked', async ({
  world,
}) => {
  const { service, app } = world
  const account = service.account('default', { instances: 1, underScopedStatus: 401 })
  await connect(app.page, { baseUrl: service.baseUrl, key: service.keys.create(account.key, ['misc']) })
  await expect(app.page.getByRole('alert')).toContainText('“the API key lacks the permission user_read”')
  await expect(app.page.getByRole('alert')).toContainText('The key is wrong or was deleted, or it lacks')
  const key = service.keys.create(account.key, ['instance_read'])
  await connect(app.page, { baseUrl: service.baseUrl, key })
  const { page } = world.app
  await page.getByRole('link', { name: 'Templates' }).click()
  await expect(page.getByText(/or with user_read\./).first()).toBeVisible()
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('link', { name: 'Account and key' }).click()
  const health = page.getByRole('group', { name: 'Key health' })
  await expect(health).toContainText('Works, but can’t read the account')
  await page.getByRole('button', { name: 'Check key' }).click()
  await expect(health).toContainText('Works, but can’t read the account')
  service.keys.revoke(key)
  await page.getByRole('button', { name: 'Check key' }).click()
  await expect(health).toContainText('most likely revoked')
})
