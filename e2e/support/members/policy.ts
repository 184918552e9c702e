import type { Page } from '@playwright/test'

/** Sets policy rules of the organization, as the administrator who is signed in in this browser. */
export async function setPolicy(adminPage: Page, policy: Record<string, boolean>): Promise<void> {
  const status = await adminPage.evaluate(async (body) => {
    const headers = { 'content-type': 'application/json' }
    return (await fetch('/api/organizations/policy', { method: 'PATCH', headers, body: JSON.stringify(body) })).status
  }, policy)
  if (status !== 200) throw new Error(`PATCH /api/organizations/policy answered ${status}`)
}
