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
package org.hadoopmpsr.client;

import org.hadoopmpsr.core.commit.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of beginning a commit: it is begun, or {@code refusal} is not null.
 *
 * @param stagingDir the directory to stage in, with a directory per group below it: absolute, without scheme, owned by the
 *     caller; empty when refused
 * @param maxFiles how many files the commit may have, in all groups together; 0 when refused
 */
public record BegunCommit(
        String stagingDir, int maxFiles, @Nullable Refusal refusal) {

    static BegunCommit refused(Refusal refusal) {
        return new BegunCommit("", 0, refusal);
    }

    /**
     * Returns this when it is begun.
     *
     * @throws IllegalStateException with the reason when it is refused
     */
    public BegunCommit require() {
        if (refusal != null) {
            throw new IllegalStateException(refusal.reason());
        }
        return this;
    }
}
