import { adoptAddress, shownConversation } from './places/shownConversation.ts'

/** Loads each page's code when it is first needed, as the default export that lazy() expects. */
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

/** Loads a member's first screen while the client starts, including the chat if a conversation is open. */
export function loadMemberPage(): Promise<unknown> {
  adoptAddress()
  return Promise.all([
    loadPage.live(),
    loadPage.dashboard(),
    shownConversation() === undefined || import('./dashboard/ChatPane.tsx'),
  ])
}

/** Loads the visitor's page while the session is being checked. */
export function loadFirstPage(path: string): void {
  void (path === '/auth' ? loadPage.auth() : loadPage.landing())
}
