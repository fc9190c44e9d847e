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

import java.io.IOException;
import java.net.URI;
import java.util.Collections;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.HAUtilClient;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.token.Token;
import org.jspecify.annotations.Nullable;

/**
 * Delegation tokens of HDFS as callers send them and as WebHDFS gives them. A client that has a token of WebHDFS takes it for one of the
 * server that it asked; the NameNode has made it all the same. Immutable.
 */
final class HdfsTokens {
    private final Configuration conf;
    private final URI fs;

    /** @param fs the URI of the file system whose NameNode has made the tokens */
    HdfsTokens(Configuration conf, URI fs) {
        this.conf = conf;
        this.fs = fs;
    }

    /**
     * Reads a token, for use with the NameNode.
     *
     * @throws IllegalArgumentException if it is none
     */
    Token<DelegationTokenIdentifier> read(String text) {
        Token<DelegationTokenIdentifier> token = new Token<>();
        try {
            token.decodeFromUrlString(text);
            token.setKind(DelegationTokenIdentifier.HDFS_DELEGATION_KIND);
            if (token.decodeIdentifier().getUser() == null) {
                throw new IOException("it names no user");
            }
        } catch (IOException | RuntimeException e) {
            throw new IllegalArgumentException(
                    "the client's token is no delegation token of HDFS; 'hdfs fetchdt' writes one", e);
        }
        if (HAUtilClient.isLogicalUri(conf, fs)) {
            token.setService(HAUtilClient.buildTokenServiceForLogicalUri(fs, HdfsConstants.HDFS_URI_SCHEME));
        } else {
            SecurityUtil.setTokenService(token, DFSUtilClient.getNNAddress(fs));
        }
        return token;
    }

    /** A new token of a caller, as WebHDFS answers; without one if HDFS asks nobody for a proof. */
    static Map<String, Object> make(Caller caller, @Nullable String renewer) throws IOException {
        Token<?> token = caller.fs().getDelegationToken(renewer == null ? caller.user() : renewer);
        return Collections.singletonMap("Token", token == null ? null : Map.of("urlString", token.encodeToUrlString()));
    }

    /**
     * Makes a token valid for longer; the answer, as that of WebHDFS, says until when in ms since 1970.
     *
     * @throws CatalogException if it is none
     */
    Map<String, Object> renew(String text) throws IOException, CatalogException {
        try {
            return Map.of("long", named(text).renew(conf));
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /**
     * Ends a token.
     *
     * @throws CatalogException if it is none
     */
    void cancel(String text) throws IOException, CatalogException {
        try {
            named(text).cancel(conf);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private Token<DelegationTokenIdentifier> named(String text) throws CatalogException {
        try {
            return read(text);
        } catch (IllegalArgumentException e) {
            throw CatalogException.wrong(e.getMessage());
        }
    }

    private static IOException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IOException("the gateway stops", e);
    }
}
