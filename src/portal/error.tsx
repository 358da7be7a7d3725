import { useVisit } from './context.ts'

export function ErrorScreen(props: { status: number; message: string | undefined; requestId: string }) {
  const { t, agent } = useVisit()
  const { status, message, requestId } = props
  const usual =
    status === 404
      ? t('No encontramos esta página o no tienes acceso.', 'Page not found, or you do not have access.')
      : status === 413
        ? t('Lo que enviaste es demasiado grande.', 'What you sent is too large.')
        : status >= 500
          ? t(
              'Algo salió mal de nuestro lado. Inténtalo en un momento.',
              'Something went wrong on our side. Try again in a moment.',
            )
          : t('No pudimos hacer eso.', 'We could not do that.')
  return (
    <div class="flex flex-col items-start gap-4">
      <p class="text-lg">{message ?? usual}</p>
      {status >= 500 && (
        <p class="text-sm text-base-content/70">
          {t('Si el problema continúa, danos este número:', 'If the problem persists, give us this number:')}{' '}
          <code>{requestId}</code>
        </p>
      )}
      <a class="btn btn-primary" href={agent ? '/portal' : '/portal/sign-in'}>
        {agent ? t('Ir al inicio', 'Go to home page') : t('Iniciar sesión', 'Sign in')}
      </a>
    </div>
  )
}
