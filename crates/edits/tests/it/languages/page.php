<?php

declare(strict_types=1);

namespace App\Service;

final class Mailer implements MailerInterface
{
    private array $queue = [];

    public function send(string $to, ?string $subject = null, array $options = []): bool
    {
        if (!filter_var($to, FILTER_VALIDATE_EMAIL) || isset($options['dry'])) {
            return false;
        }
        $body = sprintf('Hello  %s, you have %d messages', $to, count($this->queue));
        foreach ($this->queue as $index => $message) {
            $this->queue[$index]['sent'] = $message['to'] === $to && $index > 0;
        }
        return mail($to, $subject ?? 'no subject', $body . PHP_EOL);
    }
}
