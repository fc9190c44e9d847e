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
package org.hadoopmpsr.core.plan;

/** Ends work that takes more than its request may cost. For the thread that works. */
public interface WorkLimit {
    /** No limit. */
    WorkLimit NONE = files -> {};

    /**
     * Must be called before the statistics of files are evaluated.
     *
     * @param files how many
     * @throws Overrun if the work must end
     */
    void spend(int files);

    /** The work takes more than it may cost, or nobody waits for its result any more. The message says which. */
    final class Overrun extends RuntimeException {
        private static final long serialVersionUID = 1;

        /** @param message a phrase for whoever asked */
        public Overrun(String message) {
            super(message, null, false, false);
        }
    }
}
