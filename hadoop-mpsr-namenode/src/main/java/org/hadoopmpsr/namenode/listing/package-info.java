/** Listings of datasets' directories, between whose pages rewrites may exchange files. */
package org.hadoopmpsr.namenode.listing;
