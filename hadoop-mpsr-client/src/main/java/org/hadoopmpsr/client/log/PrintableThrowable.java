/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hadoopmpsr.client.log;

import org.hadoopmpsr.core.text.PrintableText;
import org.jspecify.annotations.Nullable;

/** Stands for an error whose message, or that of a cause, is not fit to be printed; logs show it as they show the error. */
public final class PrintableThrowable extends Throwable {
    private static final long serialVersionUID = 1L;
    /** Causes beyond are left out; an error may be the cause of one of its causes. */
    private static final int MAX_CAUSES = 50;

    private PrintableThrowable(String text, @Nullable Throwable cause, StackTraceElement[] trace) {
        super(text, cause);
        setStackTrace(trace);
    }

    /** The error itself if it can be printed. */
    public static Throwable of(Throwable error) {
        return isPlain(error, 0) ? error : copy(error, 0);
    }

    private static boolean isPlain(Throwable error, int depth) {
        String text = error.toString();
        if (!PrintableText.ofMessage(text).equals(text)) {
            return false;
        }
        for (Throwable suppressed : error.getSuppressed()) {
            if (depth < MAX_CAUSES && !isPlain(suppressed, depth + 1)) {
                return false;
            }
        }
        Throwable cause = error.getCause();
        return cause == null || depth >= MAX_CAUSES || isPlain(cause, depth + 1);
    }

    private static Throwable copy(Throwable error, int depth) {
        Throwable cause = error.getCause();
        Throwable copy = new PrintableThrowable(
                PrintableText.ofMessage(error.toString()),
                cause == null || depth >= MAX_CAUSES ? null : copy(cause, depth + 1),
                error.getStackTrace());
        if (depth < MAX_CAUSES) {
            for (Throwable suppressed : error.getSuppressed()) {
                copy.addSuppressed(copy(suppressed, depth + 1));
            }
        }
        return copy;
    }

    @Override
    public String toString() {
        return String.valueOf(getMessage());
    }
}
