import { useVisit } from '../../../portal/context.ts'
import { TextField } from '../../../ui/forms.tsx'
import { MIN_PASSWORD } from '../passwords.ts'

export function EmailField({ autocomplete = 'email' }: { autocomplete?: string }) {
  const { t } = useVisit()
  return (
    <TextField
      name="email"
      type="email"
      label={t('Correo electrónico', 'Email')}
      autocomplete={autocomplete}
      maxlength={254}
      required
    />
  )
}

export function PasswordField({ label }: { label?: string }) {
  const { t } = useVisit()
  return (
    <TextField
      name="password"
      type="password"
      label={label ?? t('Contraseña', 'Password')}
      autocomplete="current-password"
      required
    />
  )
}

export function NewPasswordField({ name, label }: { name: string; label: string }) {
  const { t } = useVisit()
  return (
    <TextField
      name={name}
      type="password"
      label={label}
      hint={t(
        `Al menos ${MIN_PASSWORD} caracteres. Una frase es fácil de recordar y difícil de adivinar.`,
        `At least ${MIN_PASSWORD} characters. A phrase is easy to remember and hard to guess.`,
      )}
      autocomplete="new-password"
      minlength={MIN_PASSWORD}
      required
    />
  )
}
