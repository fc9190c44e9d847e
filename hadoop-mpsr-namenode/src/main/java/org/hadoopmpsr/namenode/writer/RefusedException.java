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
package org.hadoopmpsr.namenode.writer;

import java.io.IOException;
import org.hadoopmpsr.core.commit.DatasetChange;
import org.hadoopmpsr.core.commit.Refusal;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.jspecify.annotations.Nullable;

/** Carries a refusal from where it is found, possibly under the lock, to the answer to the writer. */
public final class RefusedException extends IOException {
    private static final long serialVersionUID = 1;

    private final transient Refusal refusal;

    public RefusedException(Refusal.Kind kind, String reason) {
        this(kind, reason, null);
    }

    /** The refusal of a change to a dataset. */
    public static RefusedException of(Refusal.Kind kind, DatasetChange change, DatasetRecord dataset, String cause) {
        return new RefusedException(kind, "commit " + change.id() + " to " + dataset.path() + " is refused: " + cause);
    }

    /** With the error's message as the reason. */
    public RefusedException(Refusal.Kind kind, IOException cause) {
        this(kind, String.valueOf(cause.getMessage()), cause);
    }

    /** @param cause what a caller gets that does not read refusals; null for the reason alone */
    public RefusedException(Refusal.Kind kind, String reason, @Nullable IOException cause) {
        super(reason, cause);
        refusal = new Refusal(kind, reason);
    }

    public Refusal refusal() {
        return refusal;
    }

    /** The error for a caller that does not read refusals. */
    public IOException error() {
        return getCause() instanceof IOException cause ? cause : new IOException(refusal.reason());
    }
}
