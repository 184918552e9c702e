import { Fragment, lazy, Suspense, useEffect, StrictMode } from 'react'
import { Redirect, Route, Switch } from 'wouter'
import { QueryClientProvider } from '@tanstack/react-query'
import { invitation } from './app/invitation/invitation.ts'
import { Offline, LoadingScreen } from './app/screens/StartScreens.tsx'
import { useSession } from './app/session.ts'
import { loadPage } from './pages/registry.ts'
import { toast } from './ui/toast/toastStore.ts'
import { CrashScreen } from './app/screens/CrashScreen.tsx'
import { language } from './i18n/language.ts'
import { queryClient } from './app/queryClient.ts'
import { useStore } from './ui/useStore.ts'
import { Toaster } from './ui/toast/Toaster.tsx'

const Landing = lazy(loadPage.landing)
const Auth = lazy(loadPage.auth)
const Unlock = lazy(loadPage.unlock)
const SetUpFactor = lazy(loadPage.setUpFactor)
const LiveAccount = lazy(loadPage.live)
const Dashboard = lazy(loadPage.dashboard)
const AccountSettings = lazy(loadPage.accountSettings)
const PrivacySecurity = lazy(loadPage.privacySecurity)
const ConnectionManagement = lazy(loadPage.connectionManagement)
const Notices = lazy(loadPage.notices)
const HelpSupport = lazy(loadPage.helpSupport)
const MemberDeterrents = lazy(loadPage.memberDeterrents)
const Settings = lazy(loadPage.settings)
const Admin = lazy(loadPage.admin)
const About = lazy(loadPage.about)
const Terms = lazy(loadPage.terms)
const Privacy = lazy(loadPage.privacy)
const ThreatModel = lazy(loadPage.threatModel)
const NotFound = lazy(loadPage.notFound)

/** Shown to visitors and members. An array instead of a component, because Switch only inspects its direct children. */
const documentRoutes = [
  <Route key="/terms" path="/terms" component={Terms} />,
  <Route key="/privacy" path="/privacy" component={Privacy} />,
  <Route key="/threat-model" path="/threat-model" component={ThreatModel} />,
]

/** Pages for members; visitors are redirected to the landing page. */
const memberPaths = [
  '/account-settings',
  '/privacy-security',
  '/connection-management',
  '/settings',
  '/help-support',
  '/about',
  '/admin',
]

function App() {
  const session = useSession()
  if (session.status === 'checking') return <LoadingScreen />
  if (session.status === 'offline') return <Offline retry={session.retry} />
  return (
    <Suspense fallback={<LoadingScreen />}>
      {session.status === 'signedOut' && <VisitorPages />}
      {session.status === 'locked' && <Unlock user={session.user} client={session.client} />}
      {session.status === 'factorMissing' && <SetUpFactor user={session.user} client={session.client} />}
      {session.status === 'open' && (
        <Fragment key={session.user.id}>
          <LiveAccount>
            <Suspense fallback={<LoadingScreen />}>
              <MemberPages />
            </Suspense>
          </LiveAccount>
          <Suspense>
            <MemberDeterrents />
          </Suspense>
        </Fragment>
      )}
    </Suspense>
  )
}

function VisitorPages() {
  return (
    <Switch>
      <Route path="/auth" component={Auth} />
      {memberPaths.map((path) => (
        <Route key={path} path={path}>
          <Redirect to="/" replace />
        </Route>
      ))}
      {documentRoutes}
      <Route component={Landing} />
    </Switch>
  )
}

function MemberPages() {
  // Preload the landing page, so that signing out works without a connection.
  useEffect(() => void loadPage.landing().catch(() => {}), [])
  return (
    <>
      <Suspense>
        <Notices />
      </Suspense>
      <MemberRoutes />
    </>
  )
}

/** Redirects members away from signing in and signing up. */
function VisitorsOnly() {
  useEffect(() => void (invitation.get() !== undefined && showInvitationUnused()), [])
  return <Redirect to="/" replace />
}

/** Explains why an invitation link has no effect for an existing account: invitations are for new ones. */
async function showInvitationUnused(): Promise<void> {
  const { signedIn, signedInWhy } = (await import('./features/auth/texts.ts')).authTexts.invitation
  toast({ title: signedIn, description: signedInWhy, tone: 'warning' })
}

function MemberRoutes() {
  return (
    <Switch>
      <Route path="/" component={Dashboard} />
      <Route path="/account-settings" component={AccountSettings} />
      <Route path="/privacy-security" component={PrivacySecurity} />
      <Route path="/connection-management" component={ConnectionManagement} />
      <Route path="/help-support" component={HelpSupport} />
      <Route path="/settings" component={Settings} />
      <Route path="/about" component={About} />
      <Route path="/admin" component={Admin} />
      {documentRoutes}
      <Route path="/auth" component={VisitorsOnly} />
      <Route component={NotFound} />
    </Switch>
  )
}

/** The root of the component tree. The build renders the same tree for the landing page, which React then hydrates. */
export function Application() {
  // A change of language replaces all texts, so the whole tree is rendered again.
  const key = useStore(language)
  return (
    <StrictMode>
      <QueryClientProvider client={queryClient} key={key}>
        <CrashScreen>
          <App />
        </CrashScreen>
        <Toaster />
      </QueryClientProvider>
    </StrictMode>
  )
}
