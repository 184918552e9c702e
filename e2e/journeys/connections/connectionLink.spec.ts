import { signIn, toast } from '../../support/members/account.ts'
import { amara, helen } from '../../support/members/people.ts'
import { expect, test } from '../../support/servers/test.ts'

test.use({ prepared: 'accounts' })

test('the shared link fills in the code, leaves the address, and confirms the key', async ({
  server,
  openBrowser,
  enterAs,
}) => {
  const amaraPage = await openBrowser()
  await enterAs(amaraPage, amara)
  await amaraPage.evaluate(() => Object.defineProperty(navigator, 'share', { value: undefined }))
  await amaraPage.getByRole('button', { name: 'Share', exact: true }).first().click()
  await expect(toast(amaraPage, 'Invitation copied to clipboard')).toBeVisible()
  const shared = await amaraPage.evaluate(() => navigator.clipboard.readText())
  const [link = ''] = /http\S+/.exec(shared) ?? []
  expect(link).toMatch(new RegExp(`^${server.origin}/#connect=[A-Z]{3}-[A-Z]{3}-\\d{3}\\.[\\w-]{22}$`))
  const [code = '', fingerprint = ''] = link.split('=')[1]?.split('.') ?? []

  const helenPage = await openBrowser()
  const requested: string[] = []
  helenPage.on('request', (request) => requested.push(`${request.url()} ${request.postData() ?? ''}`))
  await test.step('a visitor signs in after opening it', async () => {
    await helenPage.goto(link)
    await expect(helenPage.getByRole('link', { name: 'Sign In' })).toBeVisible()
    expect(helenPage.url()).toBe(`${server.origin}/`)
    await signIn(helenPage, helen)
  })

  await test.step('the code is filled in, and the contact is confirmed by link', async () => {
    const field = helenPage.getByLabel('Connect to Someone')
    await expect(field).toHaveValue(code)
    await expect(field).toHaveAccessibleDescription(/^This code is from a link\./)
    await helenPage.getByRole('button', { name: 'Connect', exact: true }).click()
    await expect(toast(helenPage, 'Connection established successfully!')).toBeVisible()
    await expect(helenPage.getByRole('main').getByRole('button', { name: 'Confirmed by link' })).toBeVisible()
    await expect(field).toHaveValue('')
  })

  await test.step('the fingerprint has reached no server', async () => {
    expect(requested.length).toBeGreaterThan(10)
    expect(requested.filter((each) => each.includes(fingerprint))).toEqual([])
    expect(server.log()).not.toContain(fingerprint)
  })

  await test.step('another code that is typed is no longer from the link', async () => {
    await helenPage.goto(`${server.origin}/settings`)
    await helenPage.goto(link)
    const field = helenPage.getByLabel('Connect to Someone')
    await expect(field).toHaveValue(code)
    await field.fill('ABC-DEF-234')
    await expect(field).toHaveAccessibleDescription('')
    await helenPage.reload()
    await expect(field).toHaveValue('')
  })
})
