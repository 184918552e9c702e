import { shownConversation } from './places/shownConversation.ts'

/** One file of code for each page, fetched when it is first wanted; lazy() wants a default export. */
export const loadPage = {
  landing: async () => ({ default: (await import('./Landing.tsx')).Landing }),
  auth: async () => ({ default: (await import('./Auth.tsx')).Auth }),
  unlock: async () => ({ default: (await import('./Unlock.tsx')).Unlock }),
  setUpFactor: async () => ({ default: (await import('./SetUpFactor.tsx')).SetUpFactor }),
  live: async () => ({ default: (await import('./member/LiveAccount.tsx')).LiveAccount }),
  dashboard: async () => ({ default: (await import('./dashboard/Dashboard.tsx')).Dashboard }),
  accountSettings: async () => ({ default: (await import('./AccountSettings.tsx')).AccountSettings }),
  privacySecurity: async () => ({ default: (await import('./PrivacySecurity.tsx')).PrivacySecurity }),
  connectionManagement: async () => ({
    default: (await import('./connectionManagement/ConnectionManagement.tsx')).ConnectionManagement,
  }),
  notices: async () => ({ default: (await import('./notices/Notices.tsx')).Notices }),
  helpSupport: async () => ({ default: (await import('./HelpSupport.tsx')).HelpSupport }),
  memberDeterrents: async () => ({ default: (await import('./MemberDeterrents.tsx')).MemberDeterrents }),
  settings: async () => ({ default: (await import('./Settings.tsx')).Settings }),
  admin: async () => ({ default: (await import('./admin/Admin.tsx')).Admin }),
  about: async () => ({ default: (await import('./About.tsx')).About }),
  terms: async () => ({ default: (await import('./Legal.tsx')).Terms }),
  privacy: async () => ({ default: (await import('./Legal.tsx')).Privacy }),
  threatModel: async () => ({ default: (await import('./Legal.tsx')).ThreatModel }),
  notFound: async () => ({ default: (await import('./NotFound.tsx')).NotFound }),
}

/** Fetches what a member sees first, while the client is still being started; the chat where one is open. */
export const loadMemberPage = (): Promise<unknown> =>
  Promise.all([
    loadPage.live(),
    loadPage.dashboard(),
    shownConversation() === undefined || import('./dashboard/ChatPane.tsx'),
  ])

/** Fetches the visitor's page while the server is still being asked who is signed in. */
export function loadFirstPage(path: string): void {
  void (path === '/auth' ? loadPage.auth() : loadPage.landing())
}
