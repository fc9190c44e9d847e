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
package org.hadoopmpsr.core.commit;

/**
 * Why the NameNode does not take a commit. The call has published nothing, and is refused again until something else
 * changes.
 *
 * @param reason for people: the problem, its cause and what to do
 */
public record Refusal(Kind kind, String reason) {

    /** True when the same call succeeds once an operator has acted; nothing in the writer must change. */
    public boolean mayPass() {
        return switch (kind) {
            case NO_PERMISSION, NO_SPACE, NOT_READY, OTHER_VERSION -> true;
            default -> false;
        };
    }

    /** What must change before the call can succeed. */
    public enum Kind {
        /** There is no dataset at the path. */
        NO_SUCH_DATASET,
        /** The dataset at the path is not the one that the writer knows: it was dropped and created again. */
        OTHER_DATASET,
        /** A topic is not the one that the dataset's offsets are of: it was deleted and made anew. */
        OTHER_TOPIC,
        /** The writer lacks a permission. */
        NO_PERMISSION,
        /** The commit has more files than the NameNode publishes at once. */
        TOO_MANY_FILES,
        /** A quota is too small. */
        NO_SPACE,
        /** MPSR is off in the NameNode, or has too few DataNodes. */
        NOT_READY,
        /** The staged files are gone, or not as the commit says: stage them anew, under a new id. */
        NOT_STAGED,
        /** The call itself is wrong. */
        INVALID,
        /** The NameNode runs a version of MPSR that lacks the call. */
        OTHER_VERSION
    }
}
