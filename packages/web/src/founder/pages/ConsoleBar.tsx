import { useMutation, useQueryClient } from '@tanstack/react-query'
import { LogOut } from 'lucide-react'
import { navigate } from 'wouter/use-browser-location'
import { Button } from '../../ui/button/Button.tsx'
import { Mark } from '../../ui/brand/Brand.tsx'
import { toast } from '../../ui/toast/toastStore.ts'
import { founderClient } from '../console/client.ts'
import { rememberSignIn } from '../console/session.ts'
import { endSession } from '../console/queryClient.ts'
import { consoleTexts as texts } from '../console/texts.ts'
import '../../app/screens/topbar.css'

/** Dark in both themes, so that the console is not mistaken for the members' application. */
export function ConsoleBar() {
  const client = useQueryClient()
  const logout = useMutation({
    mutationFn: () => founderClient.signOut(),
    onSuccess() {
      endSession(client)
      rememberSignIn(false)
      navigate('/founder')
      toast({ title: texts.loggedOut })
    },
    onError: () => toast({ title: texts.logoutError, description: texts.logoutErrorWhy, tone: 'destructive' }),
  })
  return (
    <header className="topbar topbar-ink on-ink" data-keep-clear="">
      <Mark />
      <div className="con-name">
        <h1>{texts.title}</h1>
        <p>{texts.subtitle}</p>
      </div>
      <div className="end">
        <span className="con-logged hide-s">{texts.logged}</span>
        <Button busy={logout.isPending} onClick={() => logout.mutate()}>
          <LogOut className="ic" />
          {texts.logout}
        </Button>
      </div>
    </header>
  )
}
