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

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.security.AccessControlException;
import org.hadoopmpsr.core.commit.CommitId;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.commit.DatasetChange;
import org.hadoopmpsr.core.commit.Refusal.Kind;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.nodes.Readiness;
import org.hadoopmpsr.namenode.store.Namespace;

/** Decides who may change which dataset now. Thread-safe. */
public final class Admission {
    private final MpsrNamesystem system;
    private final Namespace namespace;
    private final Readiness readiness;
    private final Datasets datasets;

    public Admission(MpsrNamesystem system, Namespace namespace, Readiness readiness, Datasets datasets) {
        this.system = system;
        this.namespace = namespace;
        this.readiness = readiness;
        this.datasets = datasets;
    }

    public void requireReady() throws RefusedException {
        if (!readiness.isReady()) {
            throw new RefusedException(Kind.NOT_READY, readiness.status().message());
        }
    }

    public static String checkedId(CommitKey commit) throws RefusedException {
        try {
            return CommitId.check(commit.commitId());
        } catch (IllegalArgumentException e) {
            throw new RefusedException(Kind.INVALID, String.valueOf(e.getMessage()));
        }
    }

    /**
     * The change that a writer means. Takes no lock.
     *
     * @throws RefusedException if no dataset can have it
     */
    public static DatasetChange change(String commitId, CommitManifest manifest) throws RefusedException {
        List<CommitSource> sources = manifest.sources();
        DatasetChange change = new DatasetChange(
                commitId, manifest.kind(), sources, manifest.removes(), manifest.rebuild(), manifest.restores());
        Optional<String> problem = change.problem();
        if (problem.isPresent()) {
            throw new RefusedException(Kind.INVALID, "commit " + commitId + " is refused: " + problem.get());
        }
        return change;
    }

    /** A dataset to which the caller may write. */
    public DatasetRecord writable(String operation, String path) throws IOException {
        system.checkWritable();
        return datasets.require(operation, path, FsAction.WRITE_EXECUTE);
    }

    /** The dataset that the commit goes to. */
    public DatasetRecord target(String operation, CommitKey commit) throws IOException {
        String path = commit.path();
        String expected = commit.datasetId();
        DatasetRecord dataset;
        try {
            dataset = writable(operation, path);
        } catch (AccessControlException e) {
            throw new RefusedException(Kind.NO_PERMISSION, e);
        } catch (FileNotFoundException e) {
            throw new RefusedException(
                    Kind.NO_SUCH_DATASET,
                    "there is no dataset at " + path
                            + "; where it was renamed or deleted, bring it back, else create it"
                            + " with 'hdfs mpsr dataset create'",
                    e);
        }
        if (expected != null && !dataset.id().equals(expected)) {
            throw new RefusedException(
                    Kind.OTHER_DATASET,
                    "the dataset at " + path + " is another one (" + dataset.id() + ") than the writer knows ("
                            + expected + "): it was dropped and created again, or another one was renamed to its path;"
                            + " open it anew to write to it");
        }
        return dataset;
    }

    /**
     * Checks that the caller may rewrite records of others: the owner of the dataset directory, or a superuser.
     *
     * @throws RefusedException if not
     */
    public void checkOwner(DatasetRecord dataset) throws IOException {
        String owner = system.read(() -> namespace.require(dataset.path()).getUserName());
        if (!owner.equals(system.caller()) && !system.callingUser().isSuperuser()) {
            throw new RefusedException(
                    Kind.NO_PERMISSION,
                    "user " + system.caller() + " may not rewrite segments of " + dataset.path()
                            + ": only the owner of the directory (" + owner + ") and superusers may");
        }
    }
}
