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

import java.util.List;
import java.util.Map;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.commit.DatasetChange.Kind;
import org.hadoopmpsr.core.commit.Duplicates;
import org.hadoopmpsr.core.commit.Rebuild;
import org.hadoopmpsr.core.commit.RemovedContent;
import org.jspecify.annotations.Nullable;

/**
 * The list of all that a commit holds, as its writer sent it. Each part is translated when it is asked for: a commit that
 * is not admitted, or was published before, costs no more than that.
 */
public interface CommitManifest {
    /** What the change does. */
    Kind kind();

    /** The ids of the segments that the change removes, not checked yet. */
    List<String> removes();

    /** The ids of the segments that a rollback restores, not checked yet. */
    List<String> restores();

    /** For a rollback: the number of the last change when it was planned. */
    long planned();

    /** What a rebuild writes anew; null for other kinds. */
    @Nullable
    Rebuild rebuild();

    /** For an acceptance: the states in which the files of {@link #rebuild} were read, in their order; 0: as published. */
    List<Long> states();

    /**
     * The records of the removed segments by group, as the writer has read them.
     *
     * @throws RefusedException if they cannot be understood
     */
    Map<String, RemovedContent> removedContent() throws RefusedException;

    /**
     * The records that are left out because another one has the same key; of a delete, those that go.
     *
     * @throws RefusedException if they cannot be understood
     */
    List<Duplicates> duplicates() throws RefusedException;

    /**
     * For a delete: which records go, in the words of who wants it; for a rollback, which state comes back; empty if that is not
     * said.
     */
    String condition();

    /**
     * The offsets that the records come from.
     *
     * @throws RefusedException if they cannot be understood
     */
    List<CommitSource> sources() throws RefusedException;

    /**
     * The staged files.
     *
     * @throws RefusedException if they cannot be understood
     */
    List<StagedFile> files() throws RefusedException;
}
