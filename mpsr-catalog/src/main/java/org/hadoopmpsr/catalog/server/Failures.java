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
package org.hadoopmpsr.catalog.server;

import java.io.FileNotFoundException;
import java.io.IOException;
import javax.security.sasl.SaslException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.token.SecretManager;
import org.hadoopmpsr.catalog.append.AppendException;
import org.hadoopmpsr.client.MpsrClient;

/** Says failures of HDFS and of the NameNode as answers of the protocol. */
final class Failures {
    private Failures() {}

    /**
     * The answer for a failure. Clients ask again after a while if nothing in their request is wrong.
     *
     * @param withToken true if the caller has sent a delegation token, by which the NameNode was asked
     */
    static CatalogException answer(IOException failure, boolean withToken) {
        String message = MpsrClient.answer(failure);
        if (withToken && (cause(failure, SecretManager.InvalidToken.class) || cause(failure, SaslException.class))) {
            return new CatalogException(
                    401, "NotAuthorizedException", message + "; get another token with 'hdfs fetchdt'");
        }
        if (cause(failure, AccessControlException.class)) {
            return new CatalogException(403, "ForbiddenException", message);
        }
        return failure instanceof FileNotFoundException
                ? new CatalogException(404, "NoSuchTableException", message)
                : CatalogException.later(message);
    }

    /** The answer for an append that is not done. Iceberg's clients keep their files only if nobody knows. */
    static CatalogException answer(AppendException failure) {
        return switch (failure.kind()) {
            case UNSUPPORTED -> new CatalogException(406, "UnsupportedOperationException", failure.getMessage());
            case WRONG -> CatalogException.wrong(failure.getMessage());
            case AGAIN -> new CatalogException(409, "CommitFailedException", failure.getMessage());
            case UNKNOWN -> new CatalogException(500, "CommitStateUnknownException", failure.getMessage());
        };
    }

    /** True if a failure is an exception of a class or has one as its cause, here or on the server. */
    private static boolean cause(IOException failure, Class<? extends IOException> type) {
        for (Throwable at = failure; at != null; at = at.getCause()) {
            if (type.isInstance(at instanceof RemoteException remote ? remote.unwrapRemoteException() : at)) {
                return true;
            }
        }
        return false;
    }
}
