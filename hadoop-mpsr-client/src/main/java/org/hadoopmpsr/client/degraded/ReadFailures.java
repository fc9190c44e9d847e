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
package org.hadoopmpsr.client.degraded;

import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.util.function.Predicate;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;

/** What failures of reads mean. */
public final class ReadFailures {
    private static final int MOST_CAUSES = 50;

    private ReadFailures() {}

    /** Whether another copy of the records may help: not where the user may not read the file, or the task is to end. */
    public static boolean isLoss(Throwable failure) {
        return !isInterrupted(failure) && !hasCause(failure, AccessControlException.class::isInstance);
    }

    /** Whether the thread was told to end. */
    public static boolean isInterrupted(Throwable failure) {
        return Thread.currentThread().isInterrupted() || hasCause(failure, ReadFailures::isOfInterrupt);
    }

    private static boolean isOfInterrupt(Throwable failure) {
        return failure instanceof InterruptedException
                || failure instanceof ClosedByInterruptException
                || (failure instanceof InterruptedIOException && !(failure instanceof SocketTimeoutException));
    }

    /** The first line of a failure's text. */
    public static String line(Throwable failure) {
        return failure.toString().lines().findFirst().orElse("");
    }

    private static boolean hasCause(Throwable failure, Predicate<Throwable> condition) {
        @Nullable Throwable cause = failure;
        for (int i = 0; cause != null && i < MOST_CAUSES; i++) {
            if (condition.test(cause)) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }
}
